mock_provider "cloud" {}
run "n" {
  module { source = "./m" }
  providers = { cloud = cloud }
}
run "y" {}
