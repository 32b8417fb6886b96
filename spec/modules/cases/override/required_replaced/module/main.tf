resource "net_zone" "a" {
  entry { to = var.nope }
}
resource "net_zone" "b" {
  name = var.nope
}
resource "net_zone" "c" {
  name = "a"
  entry { to = "x" }
}
