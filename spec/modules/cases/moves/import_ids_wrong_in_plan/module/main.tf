variable "none" {
  default = null
}
variable "text" {
  default = "id"
}
import {
  to = terraform_data.a
  id = var.none
}
import {
  to = terraform_data.b
  id = terraform_data.fine.id
}
import {
  to = terraform_data.c
  id = var.text
}
import {
  for_each = { k = "x", l = "" }
  to       = terraform_data.d[each.key]
  id       = each.value == "x" ? each.value : "made-${each.key}"
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
resource "terraform_data" "c" {
}
resource "terraform_data" "d" {
  for_each = toset(["k", "l"])
}
resource "terraform_data" "fine" {
}
