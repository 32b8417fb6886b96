module "m" {
  source = "./m"
  for_each = toset([plantimestamp()])
  a = plantimestamp()
}
output "same" { value = [for m in module.m : m.o == plantimestamp()] }
output "null" { value = plantimestamp() == null }
output "short" { value = plantimestamp() == "" ? 1 : "a" }
