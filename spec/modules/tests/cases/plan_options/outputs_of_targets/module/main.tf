variable "a" { default = 1 }
resource "terraform_data" "r" { input = var.a }
resource "terraform_data" "s" { input = var.a }
output "r" { value = terraform_data.r.output }
output "s" { value = terraform_data.s.output }
output "const" { value = 5 }
output "v" { value = var.a }
output "t" {
  type = string
  value = terraform_data.s.id
}
