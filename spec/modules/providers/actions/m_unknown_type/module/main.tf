module "m" {
  source = "./m"
}
output "o" { value = var.none }
