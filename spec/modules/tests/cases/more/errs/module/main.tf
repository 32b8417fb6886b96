variable "v" { default = 1 }
resource "terraform_data" "r" {
  input = var.v == 2 ? tobool("x${var.v}") : var.v
  lifecycle {
    precondition {
      condition = var.v != 3
      error_message = "three"
    }
  }
}
resource "terraform_data" "after" { input = terraform_data.r.output }
output "after" { value = terraform_data.after.output }
output "mk" { value = var.v == 4 ? element([], 1) : "fine" }
