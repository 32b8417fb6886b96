resource "net_host" "a" {
  count = 1
  provisioner "local-exec" {
    command = "x ${net_host.a[0].ip} ${join("", net_host.a[*].ip)} ${net_host.a[5].ip}"
  }
}
resource "net_host" "b" {
  for_each = { a = 1, b = 2, c = 3 }
  provisioner "local-exec" {
    command = "x ${net_host.b["a"].ip}"
  }
  provisioner "local-exec" {
    command = "x ${net_host.b["b"].ip}"
  }
}
resource "net_host" "c" {
  for_each = { a = 1, b = 2, c = 3 }
  name = tonumber("x")
  provisioner "local-exec" {
    command = "x ${each.key} ${[for k, v in { a = 1 } : net_host.c[k].ip][0]}"
  }
}
