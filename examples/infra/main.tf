variable "region" {
  type = string
  validation {
    condition     = startswith(var.region, "eu-")
    error_message = "We run in Europe only."
  }
}

variable "sizes" {
  type    = map(number)
  default = { web = 2, db = 1 }
}

locals {
  name  = "shop-${var.region}"
  hosts = [for role, n in var.sizes : "${local.name}-${role}" if n > 0]
}

module "net" {
  source   = "./net"
  for_each = var.sizes
  prefix   = "10.${each.value}.0.0/16"
}

resource "terraform_data" "host" {
  for_each = toset(local.hosts)
  input    = upper(each.key)
}

output "hosts" {
  value = local.hosts
}

output "subnets" {
  value = { for role, net in module.net : role => net.subnets[0] }
}
