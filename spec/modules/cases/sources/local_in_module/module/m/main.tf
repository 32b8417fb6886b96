locals {
  a = "../${lookup({}, "x")}"
}
module "n" { source = local.a }
module "o" { source = "../o" }
