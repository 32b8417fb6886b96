variable "port" {
  default   = 9
  sensitive = true
}
run "shows" {
  command = plan
  assert {
    condition     = output.port == 10
    error_message = "It is ${var.port}."
  }
}
