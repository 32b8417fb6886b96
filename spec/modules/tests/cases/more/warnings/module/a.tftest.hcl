run "planned" {
  command = plan
  assert {
    condition     = module.n[0].old == 1
    error_message = "what is deprecated isn't reported of assertions"
  }
}
run "applied" {}
