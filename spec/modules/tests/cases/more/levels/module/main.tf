resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = "b${count.index}"
}
module "m" { source = "./m" }
output "a" { value = terraform_data.a.id }
output "b" { value = terraform_data.b[*].id }
output "m" { value = module.m }
