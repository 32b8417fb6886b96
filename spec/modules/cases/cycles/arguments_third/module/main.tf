resource "net_host" "a" {
  count = 3
  name = net_host.a[0].ip
}
