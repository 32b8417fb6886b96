module "m" { source = "./m" }
output "x" { value = var.nope }
