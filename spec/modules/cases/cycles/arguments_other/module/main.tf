resource "net_host" "a" {
  count = 2
  name = net_host.a[0].ip
}
resource "net_host" "b" {
  count = 2
  name = "${net_host.b[0].ip}${net_host.b[1].ip}"
}
resource "net_host" "c" {
  count = 2
  name = net_host.c[7].ip
}
resource "net_host" "d" {
  for_each = toset(["a", "b"])
  name = net_host.d["a"].ip
}
