variable "v" { default = "m" }
locals {
  late  = "./${var.v}"
}
module "l" { source = local.late }
