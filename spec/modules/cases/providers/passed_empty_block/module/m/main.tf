provider "net" {}
resource "net_host" "h" {}
