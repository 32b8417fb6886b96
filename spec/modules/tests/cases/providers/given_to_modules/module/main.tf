terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "r" {
  provider = tf
}
