resource "net_host" "a" {
  rules { port = 1 }
}
resource "net_host" "b" {
  dynamic "rules" {
    for_each = [1, 2]
    content { port = rules.value }
  }
}
resource "net_host" "c" {
  rules = [{ port = 4 }]
}
