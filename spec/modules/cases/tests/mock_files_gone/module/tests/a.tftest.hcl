mock_provider "net" {
  source = "./tests/gone"
}
run "a" {}
