locals {
  where = "./${var.none}"
  late  = terraform_data.x.id
}
module "m" { source = local.where }
module "n" { source = "./${local.none}" }
module "l" { source = local.late }
