mock_provider "net" {}
run "a" {}
