override_module {
  target = module.many
  outputs = { id = "m", name = 5 }
}
override_module {
  target = module.many[1]
  outputs = { id = "m1" }
}
override_resource {
  target = module.each["a"].terraform_data.r
  values = { id = "given", output = "other", input = "ignored" }
}
override_resource {
  target = module.one.terraform_data.r
  override_during = plan
  values = { id = "p" }
}
run "plan" {
  command = plan
  assert {
    condition = module.many[0].name == 5 && module.many[1].id == "m1" && module.many[1].name == null
    error_message = "x"
  }
  assert {
    condition = module.one.id == "p"
    error_message = "x"
  }
  assert {
    condition = module.one.name == null
    error_message = "n"
  }
}
run "apply" {
  assert {
    condition = module.each["a"].id == "given"
    error_message = module.each["a"].id
  }
  assert {
    condition = module.each["a"].name == "other"
    error_message = "it is ${jsonencode(module.each["a"].name)}"
  }
}
