resource "net_host" "a" {
  provisioner "local-exec" {
    command = "x ${net_host.a.ip}"
  }
}
