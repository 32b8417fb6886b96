ephemeral "cloud_token" "p" {
  for_each = toset(["a", "b"])
  path = "a"
}
resource "terraform_data" "x" {
  input = keys(ephemeral.cloud_token.p)
}
