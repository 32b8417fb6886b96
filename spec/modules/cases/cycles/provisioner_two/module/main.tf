resource "net_host" "a" {
  count = 2
  name = "x"
  provisioner "local-exec" {
    command = "x ${net_host.b[0].ip}"
  }
}
resource "net_host" "b" {
  count = 2
  provisioner "local-exec" {
    command = "x ${local.x}"
  }
}
locals { x = net_host.b[1].ip }
