mock_provider "cloud" {}
mock_provider "other" {}
run "x" {
  providers = {
    cloud = other
  }
}
run "y" {
  providers = {
    cloud = cloud
    other = cloud
  }
}
