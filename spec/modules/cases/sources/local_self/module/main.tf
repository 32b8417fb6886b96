locals {
  a = "./${local.a}"
}
module "m" { source = local.a }
