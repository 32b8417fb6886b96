variable "v" { default = "root" }
resource "terraform_data" "r" {
  input = var.v
}
output "id" { value = terraform_data.r.id }
output "v" { value = terraform_data.r.output }
