module "counted" {
  source = "./m"
  count  = 2
  i      = count.index.x
}
module "each" {
  source   = "./m"
  for_each = { a = var.l[3] }
  i        = each.value
}
module "fails" {
  source = "./m"
  count  = 2
  i      = var.l[3]
}
variable "l" {
  default = []
}
