run "ok" { state_key = "q" }
run "three" {
  command = plan
  variables { v = 3 }
  expect_failures = [terraform_data.r]
  assert {
    condition = output.after == 1
    error_message = "x"
  }
}
