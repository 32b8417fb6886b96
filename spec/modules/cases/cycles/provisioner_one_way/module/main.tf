resource "net_host" "a" {
  count = 3
  provisioner "local-exec" {
    command = "x ${net_host.a[0].ip}"
  }
}
output "o" { value = net_host.a[1].name }
