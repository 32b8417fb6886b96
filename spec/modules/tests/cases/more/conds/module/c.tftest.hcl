run "a" {
  assert {
    condition = var.n == 1 && var == {}
    error_message = "x"
  }
}
