mock_provider "terraform" {
  override_during = plan
  mock_resource "terraform_data" {
    defaults = { output = [1], id = 5 }
  }
  mock_data "terraform_remote_state" {}
}
run "p" {
  command = plan
  assert {
    condition = output.id == "5" && output.out[0] == 1 && output.s == null
    error_message = "i"
  }
}
run "a" {
  assert {
    condition = output.id == "5"
    error_message = "i"
  }
}
