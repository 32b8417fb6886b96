variable "n" {
  type    = number
  default = 3
}
locals {
  l = { a = var.n, b = { c = [1, 2] } }
}
resource "terraform_data" "x" {
  count = var.n
  input = local.l
}
