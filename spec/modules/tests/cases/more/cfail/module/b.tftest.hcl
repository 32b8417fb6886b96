run "post_other" {
  variables { n = 5 }
  expect_failures = [terraform_data.many[0]]
}
