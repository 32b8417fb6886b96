resource "net_host" "a" {}
