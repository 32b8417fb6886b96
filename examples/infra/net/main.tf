variable "prefix" {
  type = string
}

output "subnets" {
  value = [for i in range(2) : cidrsubnet(var.prefix, 8, i)]
}
