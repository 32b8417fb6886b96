variables {
  v = run.first.id
}
run "first" {
  variables { v = "one" }
}
run "second" {
  command = plan
  assert {
    condition = var.v == run.first.id && output.id == "x"
    error_message = "e"
  }
}
