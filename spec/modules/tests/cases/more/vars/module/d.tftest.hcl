variable "a" {
  type = number
  default = 4
}
run "r" {
  command = plan
  assert {
    condition = var.a == 4
    error_message = "a"
  }
}
