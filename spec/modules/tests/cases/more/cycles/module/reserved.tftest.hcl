run "terraform" {
  assert {
    condition     = output.a == 1
    error_message = "x"
  }
}
run "var" {
  variables {
    a = run.terraform.a + run["terraform"].a
  }
  assert {
    condition     = run["terraform"].a == 1 && output.a == 2
    error_message = "x"
  }
}
