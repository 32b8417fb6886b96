module "m" {
  source = "./m"
  count = 2
}
resource "net_host" "z" {
  count = 0
  provisioner "local-exec" {
    command = "x ${join("", net_host.z[*].ip)}"
  }
}
