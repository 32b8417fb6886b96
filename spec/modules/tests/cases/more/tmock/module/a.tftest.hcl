override_data {
  target = data.terraform_remote_state.s
  values = { outputs = { x = "over" } }
}
override_resource {
  target = terraform_data.r
  values = { id = "over" }
}
run "one" {
  assert {
    condition = output.x == "over" && output.id == "over"
    error_message = output.x
  }
  assert {
    condition = terraform_data.r.output == 1
    error_message = "out ${jsonencode(terraform_data.r.output)}"
  }
}
run "two" {
  override_resource {
    target = terraform_data.r
    values = { id = "again" }
  }
  override_data {
    target = data.terraform_remote_state.s
    values = {}
  }
  assert {
    condition = output.id == "over"
    error_message = output.id
  }
}
