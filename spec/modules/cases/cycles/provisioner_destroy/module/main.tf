resource "net_host" "a" {
  count = 2
  provisioner "local-exec" {
    when    = destroy
    command = "x ${self.ip}"
  }
}
