mock_provider "terraform" {
  mock_data "terraform_remote_state" {
    defaults = { outputs = { x = "mock" } }
  }
}
run "one" {
  command = plan
  assert {
    condition = output.x == "mock"
    error_message = output.x
  }
}
