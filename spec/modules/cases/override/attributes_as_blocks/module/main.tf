resource "net_host" "a" {
  rules = [{ port = var.nope }]
}
resource "net_host" "b" {
  rules { port = var.nope }
}
resource "net_host" "c" {
  rules { port = 3 }
}
output "o" { value = [net_host.a.rules, net_host.b.rules, net_host.c.rules] }
