run "made" {}
run "by_its_argument" {
  command = plan
  variables { trigger = 2 }
  expect_failures = [terraform_data.a]
}
