variable "names" { default = ["a", "b"] }
resource "terraform_data" "s" {
  for_each = toset(var.names)
  input    = each.key
}
moved {
  from = terraform_data.r
  to   = terraform_data.s
}
removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
  }
}
output "ids" { value = { for k, r in terraform_data.s : k => r.id } }
