locals {
  late  = "./${terraform_data.x.id}"
}
resource "terraform_data" "x" {}
module "l" { source = local.late }
