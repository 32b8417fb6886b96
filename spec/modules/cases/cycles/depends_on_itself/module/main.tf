resource "net_host" "a" {
  count = 2
  depends_on = [net_host.a]
}
resource "net_host" "b" {
  depends_on = [net_host.b]
}
