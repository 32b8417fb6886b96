run "time" {
  variables { v = timestamp() }
  assert {
    condition = output.v == var.v
    error_message = "t"
  }
}
