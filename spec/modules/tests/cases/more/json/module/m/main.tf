variable "w" {}
output "w" { value = var.w }
