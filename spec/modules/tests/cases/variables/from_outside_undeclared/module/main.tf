variable "in" { default = "x" }
variable "more" {}
output "in" { value = var.in }
