terraform {
  required_providers {
    net = {}
  }
}
resource "net_host" "h" {}
