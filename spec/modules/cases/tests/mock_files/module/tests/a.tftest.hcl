mock_provider "net" {
  source = "./tests/mocks"
}
run "a" {}
