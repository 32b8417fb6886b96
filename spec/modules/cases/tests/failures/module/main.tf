variable "a" { default = 1 }
output "a" { value = 1 }
resource "terraform_data" "x" {}
check "c" {
  assert {
    condition     = var.a == 1
    error_message = "x"
  }
}
