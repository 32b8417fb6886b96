resource "cloud_nope" "n" {
  provisioner "local-exec" { command = var.none }
  connection { host = var.none2 }
}
