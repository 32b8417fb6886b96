variable "in" {}
check "later" {
  assert {
    condition     = var.in != 7
    error_message = "later"
  }
}
