run "one" {
  assert {
    condition     = run.zero.a == 1
    error_message = "x"
  }
}
run "two" {}
