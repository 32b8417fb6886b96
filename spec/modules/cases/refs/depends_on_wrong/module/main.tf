resource "terraform_data" "a" {
  depends_on = [terraform_data.zz, data.terraform_remote_state.q, module.m]
}
resource "terraform_data" "b" {
  depends_on = [terraform_data.a.id, module.nope, module.m.out, "terraform_data.nope"]
}
module "m" {
  source     = "./m"
  depends_on = [local.l, var.x, terraform_data.a.input]
}
output "o" {
  value      = 1
  depends_on = [terraform_data.a, module.none, local.none]
}
