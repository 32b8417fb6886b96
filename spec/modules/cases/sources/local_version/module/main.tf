locals {
  v = "1.${tonumber("x")}"
}
module "m" {
  source  = "acme/net/cloud"
  version = local.v
}
