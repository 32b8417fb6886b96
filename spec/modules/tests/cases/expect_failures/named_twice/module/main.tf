variable "given" {}
resource "terraform_data" "r" {
  lifecycle {
    postcondition {
      condition     = var.given != 2
      error_message = "two"
    }
  }
}
