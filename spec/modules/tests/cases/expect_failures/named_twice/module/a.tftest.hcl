run "the_last_one_is_missing" {
  variables { given = 1 }
  expect_failures = [terraform_data.r, terraform_data.r]
}
run "nothing_is_targeted_yet" {
  plan_options { target = [terraform_data.r] }
}
