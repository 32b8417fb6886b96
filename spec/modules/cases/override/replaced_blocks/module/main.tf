variable "sizes" { default = "none" }
resource "net_host" "a" {
  name = "x"
  dynamic "disk" {
    for_each = var.sizes
    content { size = disk.value }
  }
  disk { size = var.nope }
  boot { from = var.nope }
}
resource "net_host" "b" {
  disk { size = 1 }
  dynamic "disk" {
    for_each = [2, 3]
    content { size = disk.value }
  }
  boot { from = "a" }
}
output "a" { value = net_host.a }
output "b" { value = net_host.b }
