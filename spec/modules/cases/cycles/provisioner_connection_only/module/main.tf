resource "net_host" "a" {
  count = 2
  connection {
    host = net_host.a[count.index].ip
  }
}
