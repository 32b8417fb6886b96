run "dup" {
  command = plan
  variables { n = 6 }
  expect_failures = [output.o, output.o, check.d, check.nope, var.nope]
}
