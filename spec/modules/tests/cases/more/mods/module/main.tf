variable "names" { default = ["a", "b"] }
module "one" {
  source = "./m"
  name = "one"
}
module "many" {
  source = "./m"
  count = length(var.names)
  name = var.names[count.index]
}
module "each" {
  source = "./m"
  for_each = toset(var.names)
  name = each.key
}
output "all" { value = [module.one.id, module.many[*].name, module.each["a"].name] }
