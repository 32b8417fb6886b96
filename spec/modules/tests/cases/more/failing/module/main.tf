variable "fail" { default = false }
variable "k" { default = "a" }
resource "terraform_data" "first" {
  input = var.k
}
resource "terraform_data" "second" {
  input = terraform_data.first.output
  lifecycle {
    postcondition {
      condition     = !var.fail || self.output == "never"
      error_message = "second failed for ${self.output}."
    }
  }
}
resource "terraform_data" "third" {
  input = terraform_data.second.output
}
output "third" { value = terraform_data.third.output }
output "first" { value = terraform_data.first.id }
