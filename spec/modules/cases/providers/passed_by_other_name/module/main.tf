terraform {
  required_providers {
    mine = { source = "hashicorp/net" }
  }
}
module "m" {
  source    = "./m"
  providers = { net = mine }
}
