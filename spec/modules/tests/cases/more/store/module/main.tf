variable "s" { default = "secret" }
variable "n" { default = 1 }
resource "terraform_data" "r" {
  store {
    input = var.s
    version = var.n
  }
}
resource "terraform_data" "q" {
  store {
    input = var.s
    sensitive = true
  }
}
output "o" { value = terraform_data.r.store.output }
