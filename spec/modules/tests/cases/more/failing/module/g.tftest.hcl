run "expected" {
  variables {
    fail = true
  }
  expect_failures = [terraform_data.second]
}
run "goes_on" {
  assert {
    condition     = output.third == "a" && output.first == run.expected.first
    error_message = "first is ${output.first}"
  }
}
run "fails_in_update" {
  variables {
    fail = true
    k    = "b"
  }
  expect_failures = [terraform_data.second]
  assert {
    condition     = terraform_data.first.output == "b"
    error_message = "first"
  }
}
run "third_is_old" {
  command = plan
  variables {
    k = "b"
  }
  assert {
    condition     = terraform_data.third.input == "b"
    error_message = "third"
  }
  assert {
    condition     = output.third == "b"
    error_message = "unknown"
  }
}
