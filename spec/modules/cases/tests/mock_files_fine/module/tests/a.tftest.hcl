mock_provider "net" {
  source = "./mocks"
}
run "a" {}
