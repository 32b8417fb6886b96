resource "net_host" "a" {
  count = 2
  depends_on = [net_host.a[0]]
}
