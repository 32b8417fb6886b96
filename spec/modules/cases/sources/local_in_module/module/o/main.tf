locals {
  a = local.b
  b = local.a
}
module "n" { source = local.a }
