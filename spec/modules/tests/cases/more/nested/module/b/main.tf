variable "name" {
  type = string
  validation {
    condition = length(var.name) > 1
    error_message = "short ${var.name}"
  }
}
resource "terraform_data" "r" { input = var.name }
output "out" { value = terraform_data.r.output }
output "id" { value = terraform_data.r.id }
