variable "a" { default = 1 }
variable "a" { default = 1 }
module "m" { source = "./m" }
output "x" { value = var.nope }
