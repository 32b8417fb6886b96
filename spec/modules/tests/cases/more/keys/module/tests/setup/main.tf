variable "v" { default = "setup" }
resource "terraform_data" "r" {
  input = var.v
}
output "id" { value = terraform_data.r.id }
output "path" { value = path.module }
