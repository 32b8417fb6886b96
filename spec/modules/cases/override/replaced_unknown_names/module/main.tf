resource "net_host" "a" {
  nme  = var.nope
  name = upper()
}
resource "net_host" "b" {
  name = upper()
  disc { size = var.nope }
}
resource "net_host" "c" {
  name = "a"
}
