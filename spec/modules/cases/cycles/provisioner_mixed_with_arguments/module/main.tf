resource "net_host" "a" {
  count = 2
  name  = net_host.a[0].ip
  provisioner "local-exec" {
    command = "x ${net_host.a[1].ip}"
  }
}

