mock_provider "terraform" {}
override_resource {
  target = terraform_data.many
  values = { id = upper("whole") }
}
run "a" {
  override_resource {
    target = terraform_data.r
    override_during = plan
    values = { id = "r", output = null }
  }
  assert {
    condition = terraform_data.many["b"].id == "WHOLE" && terraform_data.r.id == "r" && output.out == null
    error_message = "x"
  }
}
run "b" {
  plan_options { replace = [terraform_data.r] }
  assert {
    condition = terraform_data.r.id != "r" && length(terraform_data.r.id) == 8
    error_message = terraform_data.r.id
  }
}
