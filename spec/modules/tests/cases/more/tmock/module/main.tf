resource "terraform_data" "r" { input = 1 }
data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = "none.tfstate" }
}
output "x" { value = data.terraform_remote_state.s.outputs.x }
output "id" { value = terraform_data.r.id }
