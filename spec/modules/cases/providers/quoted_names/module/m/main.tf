terraform {
  required_providers {
    null = {}
    net  = {}
  }
}
resource "null_resource" "a" {}
