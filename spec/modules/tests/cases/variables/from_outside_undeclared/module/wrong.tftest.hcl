run "all_is_wrong" {
  command = plan
  variables { in = jsondecode("[") }
}
