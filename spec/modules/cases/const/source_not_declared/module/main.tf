variable "which" {
  const   = true
  default = "m"
}
locals {
  dir = "./${var.which}"
}
module "m" {
  source = local.dirx
}
module "n" {
  source = "./${var.whichx}"
}
