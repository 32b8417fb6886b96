terraform {
  required_providers {
    own = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "m" {
  provider = own
}
