mock_provider "terraform" {
  mock_resource "terraform_data" {
    defaults = { id = nofunc() }
  }
}
run "p" {
  command = plan
}
run "q" {
  command = plan
}
