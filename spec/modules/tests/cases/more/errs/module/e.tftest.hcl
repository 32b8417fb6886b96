run "each" {
  command = plan
  variables { v = each.key }
}
run "x" {
  command = plan
  variables { v = path.module }
}
