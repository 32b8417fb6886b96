variables { env = { name = "cc" } }
run "a" {
  command = plan
  variables { env = { name = null } }
}
run "b" {
  variables { env = "x" }
}
