variable "x" {}
variable "y" {}
output "v" {
  value = var.x
}
