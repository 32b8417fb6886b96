terraform {
  required_providers {
    mine = { source = "hashicorp/net" }
  }
}
provider "net" {}
resource "net_host" "h" {}
