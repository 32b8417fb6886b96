run "targeted" {
  plan_options { target = [module.one] }
  assert {
    condition = module.one.name == "one"
    error_message = "x"
  }
}
run "t2" {
  command = plan
  plan_options { target = [module.each["a"]] }
  assert {
    condition = module.each["a"].name == "a"
    error_message = "x"
  }
}
