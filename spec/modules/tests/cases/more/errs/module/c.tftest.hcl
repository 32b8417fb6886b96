run "three" {
  command = plan
  variables { v = 3 }
  expect_failures = [terraform_data.r]
  assert {
    condition = var.v == 3
    error_message = "x"
  }
  assert {
    condition = terraform_data.r.input == 3
    error_message = "x"
  }
}
