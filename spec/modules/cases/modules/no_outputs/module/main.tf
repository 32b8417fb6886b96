module "counted" {
  source = "./m"
  count  = 2
}
module "each" {
  source   = "./m"
  for_each = toset(["a"])
}
module "none" {
  source = "./m"
  count  = 0
}
module "one" {
  source = "./m"
}
output "all" {
  value = [module.counted, module.each, module.none, module.one]
}
