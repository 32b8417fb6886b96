resource "terraform_data" "a" {}

output "id" {
  value = terraform_data.a.id
}

variable "known" {
  default = null
}

output "known" {
  value = var.known
}
