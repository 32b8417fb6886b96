variable "v" { default = "x" }
resource "terraform_data" "r" {
  input = var.v
  triggers_replace = [1]
}
resource "terraform_data" "many" {
  for_each = toset(["a", "b"])
  input = each.key
}
data "terraform_remote_state" "s" {
  backend = "local"
  config = { path = var.v }
}
data "terraform_remote_state" "late" {
  backend = "local"
  config = { path = terraform_data.r.id }
}
output "id" { value = terraform_data.r.id }
output "out" { value = terraform_data.r.output }
output "s" { value = data.terraform_remote_state.s.outputs }
output "late" { value = data.terraform_remote_state.late.outputs }
