run "b" {
  variables { env = { name = "good", tags = { a = 1 } } }
  override_module {
    target = module.a.module.b
    outputs = { out = "over" }
  }
  assert {
    condition = output.deep == "over" && module.a.id == null
    error_message = output.deep
  }
}
run "plan_known" {
  command = plan
  variables { env = { name = "good", tags = { a = 1 } } }
  assert {
    condition = output.unknown_map.b == "k" && output.deep == "good"
    error_message = "x"
  }
}
run "use" {
  command = plan
  variables { env = { name = run.plan_known.unknown_map.b, tags = {} } }
}
run "use_whole" {
  command = plan
  variables { env = { name = jsonencode(run.plan_known.unknown_map) } }
}
