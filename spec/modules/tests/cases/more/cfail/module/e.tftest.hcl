run "early" {
  variables { n = 6 }
  expect_failures = [output.o]
}
