locals {
  m = { for i in range(3) : "k${i}" => i }
  big = [for k, v in local.m : "${k}=${v}"]
}
resource "terraform_data" "each" {
  for_each = local.m
  input = each.value
}
output "ids" { value = { for k, r in terraform_data.each : k => r.output } }
output "s" { value = toset(["b", "a"]) }
output "num" { value = 1.50 }
output "nul" { value = null }
