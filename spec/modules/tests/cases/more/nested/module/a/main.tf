variable "env" { type = any }
module "b" {
  source = "../b"
  name = var.env.name
}
output "deep" { value = module.b.out }
output "id" { value = module.b.id }
