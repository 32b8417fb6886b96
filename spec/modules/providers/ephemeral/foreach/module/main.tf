ephemeral "cloud_token" "p" {
  for_each = toset(["a", "b"])
  path = "a"
}
resource "terraform_data" "x" {
  for_each = ephemeral.cloud_token.p
}
