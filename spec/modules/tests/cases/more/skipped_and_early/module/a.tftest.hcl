run "null" {
  variables { n = null }
}
run "skipped" {
  variables { n = 1 }
  override_resource { target = terraform_data.none }
}
