ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
resource "terraform_data" "x" {
  lifecycle {
    precondition {
      condition = length(ephemeral.cloud_token.p) == 3
      error_message = "n ${length(ephemeral.cloud_token.p)}"
    }
  }
}
