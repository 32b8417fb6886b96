resource "net_host" "a" {
  boot { from = var.nope2 }
}
