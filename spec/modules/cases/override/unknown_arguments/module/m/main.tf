variable "x" {}
output "v" {
  value = var.x
}
