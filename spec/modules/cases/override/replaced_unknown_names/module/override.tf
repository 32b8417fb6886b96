resource "net_host" "a" {
  nme  = "b"
  name = "c"
}
resource "net_host" "b" {
  name = "c"
  disc { size = 1 }
}
resource "net_host" "c" {
  name = var.nope
  other = 1
}
