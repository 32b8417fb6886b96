module "m" {
  source = "./m"
}
output "o" { value = length(module.m.x) }
