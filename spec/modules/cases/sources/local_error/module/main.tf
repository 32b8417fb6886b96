locals {
  where = "./${lookup({ a = "m" }, "b")}"
  more  = "${local.where}x"
}
module "m" { source = local.more }
module "n" { source = "./${local.where}" }
module "k" {
  source = "./m"
  a      = local.bad
}
locals { bad = nothing() }
