locals {
  ids = { a = "id-a", b = "id-b" }
  x   = upper("abc")
}
variable "key" {
  default   = "secret"
  sensitive = true
}
import {
  for_each = local.ids
  to       = terraform_data.e[each.key]
  id       = each.value
}
import {
  for_each = { a = "in-a", b = "in-b" }
  to       = module.n[each.key].terraform_data.x
  id       = "${each.value}-x"
}
import {
  to = module.m.terraform_data.x
  id = local.x
}
import {
  to = terraform_data.counted[1]
  id = var.key
}
import {
  for_each = toset(["p", "not there"])
  to       = terraform_data.f[each.key]
  id       = each.value
}
resource "terraform_data" "e" {
  for_each = local.ids
  input    = each.key
}
resource "terraform_data" "f" {
  for_each = toset(["p", "q"])
}
resource "terraform_data" "counted" {
  count = 2
  input = count.index
}
module "m" {
  source = "./m"
}
module "n" {
  for_each = { a = 1, b = 2 }
  source   = "./m"
}
output "o" {
  value = [terraform_data.e["a"].id, module.m.id, module.n["b"].id, terraform_data.counted[1].id, terraform_data.f["p"].id, terraform_data.f["q"].id]
}
