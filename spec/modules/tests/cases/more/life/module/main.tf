variable "n" { default = 2 }
variable "w" { default = "w" }
variable "k" { default = ["a", "b"] }
resource "terraform_data" "c" {
  count = var.n
  input = { i = count.index, w = var.w }
}
resource "terraform_data" "f" {
  for_each = toset(var.k)
  input = each.key
  lifecycle { replace_triggered_by = [terraform_data.t] }
}
resource "terraform_data" "t" {
  input = var.w
}
resource "terraform_data" "i" {
  input = var.w
  lifecycle { ignore_changes = [input] }
}
locals { time = timestamp() }
resource "terraform_data" "time" { input = local.time }
output "ids" { value = terraform_data.c[*].id }
output "f" { value = { for k, v in terraform_data.f : k => v.id } }
