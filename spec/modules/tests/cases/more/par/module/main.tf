variable "v" { default = "x" }
resource "terraform_data" "r" {
  input = var.v
  triggers_replace = var.v
}
output "v" { value = terraform_data.r.output }
output "id" { value = terraform_data.r.id }
