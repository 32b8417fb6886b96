run "four" {
  variables { v = 4 }
  expect_failures = [output.mk]
}
