override_resource {
  target = terraform_data.a
  values = { id = "file-a" }
}
override_resource {
  target = terraform_data.b[1]
  values = { id = "file-b1" }
}
override_resource {
  target = module.m.terraform_data.a
  values = { id = "file-m", output = "file-out" }
}
run "file" {
  assert {
    condition     = output.a == "file-a" && output.b[1] == "file-b1" && length(output.b[0]) == 36
    error_message = jsonencode([output.a, output.b])
  }
  assert {
    condition     = output.m.id == "file-m" && output.m.out == "file-out"
    error_message = jsonencode(output.m)
  }
}
run "run_beats" {
  state_key = "other"
  override_resource {
    target = terraform_data.a
    values = { output = "x" }
  }
  override_resource {
    target = terraform_data.b
    values = { id = "run-b" }
  }
  override_module {
    target  = module.m
    outputs = { id = "run-m" }
  }
  assert {
    condition     = output.a != "file-a" && terraform_data.a.output == "x"
    error_message = jsonencode([output.a, terraform_data.a.output])
  }
  assert {
    condition     = output.b == ["run-b", "file-b1"]
    error_message = jsonencode(output.b)
  }
  assert {
    condition     = output.m == { id = "run-m", out = null }
    error_message = jsonencode(output.m)
  }
}
run "during" {
  command   = plan
  state_key = "third"
  override_resource {
    target          = terraform_data.a
    override_during = plan
    values          = { id = "now", output = 5, input = "ignored" }
  }
  assert {
    condition     = output.a == "now" && terraform_data.a.output == "5" && terraform_data.a.input == "a"
    error_message = jsonencode([output.a, terraform_data.a])
  }
}
