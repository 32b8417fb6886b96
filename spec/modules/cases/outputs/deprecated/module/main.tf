variable "old" {
  default    = null
  deprecated = "Use new."
}
module "m" {
  source = "./m"
  old    = var.old
}
module "each" {
  source   = "./m"
  for_each = { a = "x", b = null }
  old      = each.value
}
locals {
  a = module.m.old
  b = { for k, m in module.each : k => m.old }
  c = module.each["a"].old
  d = module.each
  f = [for x in [module.m] : x.old]
  g = module.m.old == null ? 1 : 2
  h = try(module.m.old, 1)
  i = module.m.obj.x
  j = module.m.obj
  k = length(module.m.lst)
  l = module.m.lst[0]
}
resource "terraform_data" "x" {
  count = length(module.m.lst)
  input = { a = 1, b = module.m.obj }
}
resource "terraform_data" "y" {
  for_each = toset(module.m.lst)
  input    = each.value
  lifecycle {
    precondition {
      condition     = module.m.old != "q"
      error_message = "x ${module.m.old}"
    }
  }
}
module "pass" {
  source = "./m"
  old    = module.m.old
}
module "ignoring" {
  source                     = "./outer"
  ignore_nested_deprecations = true
}
module "outer" {
  source = "./outer"
}
output "pass" {
  value = module.pass.old
}
output "b" {
  value = local.b
}
output "ignored" {
  value = [module.ignoring.v, module.outer.v]
}
