locals {
  a = local.b
  b = local.a
  c = "./m"
  d = lookup({}, "x")
}
module "m" { source = local.c }
