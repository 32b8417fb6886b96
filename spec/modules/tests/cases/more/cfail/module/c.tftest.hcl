run "pre" {
  command = plan
  variables { n = 9 }
  expect_failures = [terraform_data.many, check.d]
}
run "data" {
  command = plan
  variables { n = 7 }
  expect_failures = [data.terraform_remote_state.s, check.d]
}
run "check_data" {
  command = plan
  variables { n = 4 }
  expect_failures = [check.c, check.d]
}
run "check_three" {
  command = plan
  variables { n = 3 }
  expect_failures = [check.c, check.d]
  assert {
    condition = var.n == 3
    error_message = "n"
  }
  assert {
    condition = terraform_data.many[1].input == "1-3"
    error_message = "n"
  }
}
run "output" {
  command = plan
  variables { n = 6 }
  expect_failures = [output.o, check.d]
  assert {
    condition = output.o == 6
    error_message = "n"
  }
}
