run "a" {
  command = plan
  plan_options { target = [terraform_data.r] }
  variables {
    c = 5
    b = 1
  }
  expect_failures = [var.b]
}
