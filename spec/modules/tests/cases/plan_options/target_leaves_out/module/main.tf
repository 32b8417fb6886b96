variable "a" { default = 1 }
variable "b" {
  default = 2
  validation {
    condition = var.b > 5
    error_message = "b"
  }
}
variable "c" {
  default = 2
}
locals {
  bad = tonumber("x${var.a}")
  l = var.c
}
resource "terraform_data" "r" { input = var.a }
resource "terraform_data" "s" { input = var.b }
output "r" { value = terraform_data.r.output }
output "s" { value = terraform_data.s.output }
