resource "net_host" "a" {
  name = var.nope
  disk { size = var.nope }
  _ {
    name = "y"
    disk { size = 1 }
  }
}
output "o" { value = net_host.a }
