data "terraform_remote_state" "s" {
  config = { path = "x.tfstate" }
}
module "m" {
  source = "./m"
  y      = 1
}
output "o" {
  value = module.m.v
}
