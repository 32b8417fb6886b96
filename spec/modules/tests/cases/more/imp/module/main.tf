import {
  to = terraform_data.r
  id = "the-id"
}
resource "terraform_data" "r" { input = 1 }
output "id" { value = terraform_data.r.id }
