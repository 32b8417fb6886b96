resource "net_zone" "a" {
  name = "a"
  entry {}
}
resource "net_zone" "b" {
  name = "b"
  dynamic "entry" {
    for_each = ["q"]
    content { to = entry.value }
  }
}
resource "net_zone" "c" {
  dynamic "entry" {
    for_each = []
    content { to = "x" }
  }
}
