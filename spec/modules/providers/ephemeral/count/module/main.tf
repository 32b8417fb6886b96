ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
resource "terraform_data" "x" {
  count = length(ephemeral.cloud_token.p)
}
