resource "terraform_data" "a" { input = "m" }
output "id" { value = terraform_data.a.id }
output "out" { value = terraform_data.a.output }
