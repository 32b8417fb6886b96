resource "net_host" "a" {
  count = 2
  connection {
    host = net_host.a[0].ip
  }
  provisioner "remote-exec" {
    inline = ["x"]
    connection {
      host = net_host.a[1].ip
    }
  }
}
