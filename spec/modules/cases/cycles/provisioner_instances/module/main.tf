resource "net_host" "a" {
  for_each = toset(["a", "b"])
  provisioner "local-exec" {
    command = "join ${net_host.a["a"].ip} ${net_host.a["b"].ip}"
  }
}
resource "net_host" "b" {
  count = 3
  provisioner "local-exec" {
    command = "x ${join(",", net_host.b[*].ip)}"
  }
}
resource "net_host" "c" {
  count = 1
  provisioner "local-exec" {
    command = "x ${net_host.c[0].ip}"
  }
}
resource "net_host" "d" {
  provisioner "local-exec" {
    command = "x ${net_host.d.ip}"
  }
}
