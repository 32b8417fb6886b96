mock_provider "terraform" {
  override_during = plan
  mock_resource "terraform_data" {
    defaults = { id = [] }
  }
}
run "p" {
  command = plan
}
