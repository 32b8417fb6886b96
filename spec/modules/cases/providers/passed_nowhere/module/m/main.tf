terraform {
  required_providers {
    net = { version = "~> 1.0" }
  }
}
module "n" {
  source    = "../n"
  providers = { net = net }
}
