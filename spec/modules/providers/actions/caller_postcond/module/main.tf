resource "terraform_data" "x" {
  input = 1
  lifecycle {
    postcondition {
      condition = caller.input == 1
      error_message = "no"
    }
  }
}
