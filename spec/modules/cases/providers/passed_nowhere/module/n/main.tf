resource "net_host" "h" {}
