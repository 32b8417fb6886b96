run "plain" {
  assert {
    condition = data.terraform_remote_state.s.outputs.y == "v"
    error_message = "y"
  }
}
run "post_one" {
  variables { n = 5 }
  expect_failures = [terraform_data.many[1]]
}
run "next" {
  assert {
    condition = output.o == ["0-1", "1-1"]
    error_message = "o ${jsonencode(output.o)}"
  }
}
