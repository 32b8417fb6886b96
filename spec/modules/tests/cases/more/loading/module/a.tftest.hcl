run "one" {
  variables {
    old = "p"
  }
  assert {
    condition     = output.id != ""
    error_message = "x"
  }
}
run "two" {
  variables {
    old = run.one.id
  }
  assert {
    condition     = var.old == run.one.id
    error_message = "x"
  }
}
