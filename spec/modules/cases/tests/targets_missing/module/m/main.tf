resource "net_host" "b" {}
