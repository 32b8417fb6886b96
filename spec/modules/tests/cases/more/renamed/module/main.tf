variable "names" { default = ["a", "b"] }
resource "terraform_data" "r" {
  for_each = toset(var.names)
  input    = each.key
}
output "ids" { value = { for k, r in terraform_data.r : k => r.id } }
