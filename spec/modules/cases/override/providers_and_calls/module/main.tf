provider "net" {
  region = var.nope
}
module "m" {
  source = "./m"
  a      = var.nope
  b      = 1
}
resource "net_host" "h" {
  name = local.x
  tags = { a = local.x }
}
locals { x = "v" }
output "o" { value = [module.m.o, net_host.h.tags] }
