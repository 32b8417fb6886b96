mock_provider "terraform" {
  mock_resource "terraform_data" {
    defaults = { output = "o", id = "i", input = "never" }
  }
  mock_data "terraform_remote_state" {
    override_during = plan
    defaults = { outputs = { x = 1 }, workspace = "never" }
  }
  override_resource {
    target = terraform_data.many["a"]
    values = { id = "many-a" }
  }
}
run "planned" {
  command = plan
  assert {
    condition = output.s.x == 1 && data.terraform_remote_state.s.workspace == null
    error_message = "s"
  }
  assert {
    condition = output.id == "i"
    error_message = "unknown"
  }
}
