resource "net_host" "a" {
  count = 2
  provisioner "local-exec" {
    command = "x ${net_host.a[0].ip} ${net_host.a[1].ip}"
  }
}
