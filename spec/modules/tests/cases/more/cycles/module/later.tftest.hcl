run "one" {
  assert {
    condition     = run.two.a == 1
    error_message = "x"
  }
}
run "two" {}
