resource "net_host" "a" {
  name = net_host.b.id
}
resource "net_host" "b" {
  name = net_host.a.id
}
output "o" { value = net_host.b.name }
