run "a" {
  assert {
    condition = output == {}
    error_message = "x"
  }
}
