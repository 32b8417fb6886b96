variable "tok" {
  ephemeral = true
  default = "e"
}
variable "sec" {
  sensitive = true
  default = "s"
}
resource "terraform_data" "r" { input = var.sec }
output "sec" {
  value = var.sec
  sensitive = true
}
output "obj" {
  value = { a = var.sec, b = 1 }
  sensitive = true
}
output "in" {
  value = terraform_data.r.input
  sensitive = true
}
