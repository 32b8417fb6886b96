mock_provider "terraform" {}
run "a" {
  override_resource {
    target = terraform_data.r
    values = { id = var.v }
  }
}
