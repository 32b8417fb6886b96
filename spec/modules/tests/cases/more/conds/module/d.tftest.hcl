run "a" {
  assert {
    condition = run == {}
    error_message = "x"
  }
}
