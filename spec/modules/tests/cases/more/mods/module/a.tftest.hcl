run "apply" {
  assert {
    condition = module.one.name == "one" && length(module.one.id) == 36
    error_message = "x"
  }
  assert {
    condition = module.many[1].name == "b" && module.each["b"].name == "b"
    error_message = "x"
  }
  assert {
    condition = module.many[*].name == tolist(["a","b"]) || module.many[*].name == ["a", "b"]
    error_message = "x"
  }
  assert {
    condition = output.all[1] == ["a", "b"]
    error_message = "x"
  }
  assert {
    condition = module.one.nope == 1
    error_message = "x"
  }
  assert {
    condition = module.one.terraform_data.r.id == 1
    error_message = "x"
  }
  assert {
    condition = module.many.name == 1
    error_message = "x"
  }
}
