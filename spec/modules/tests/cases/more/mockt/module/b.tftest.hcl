mock_provider "terraform" {
  mock_resource "terraform_data" {
    defaults = { output = "o", id = "i", input = "never" }
  }
  mock_data "terraform_remote_state" {
    defaults = { outputs = { x = 1 } }
  }
  override_resource {
    target = terraform_data.many["a"]
    values = { id = "many-a" }
  }
}
run "applied" {
  assert {
    condition = output.id == "i" && output.out == "o" && terraform_data.r.input == "x" && output.late.x == 1
    error_message = "i"
  }
  assert {
    condition = terraform_data.many["a"].id == "many-a" && terraform_data.many["a"].output == null && terraform_data.many["b"].output == "o"
    error_message = jsonencode(terraform_data.many)
  }
}
run "changed" {
  variables { v = "y" }
  assert {
    condition = terraform_data.r.input == "y" && output.id == "i" && output.out == "o"
    error_message = jsonencode(terraform_data.r)
  }
}
