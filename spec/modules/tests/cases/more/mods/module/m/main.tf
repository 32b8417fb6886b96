variable "name" { type = string }
resource "terraform_data" "r" { input = var.name }
output "id" { value = terraform_data.r.id }
output "name" { value = terraform_data.r.output }
