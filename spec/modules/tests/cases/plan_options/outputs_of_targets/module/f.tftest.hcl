run "a" {}
run "b" {
  plan_options { target = [terraform_data.r] }
  variables { a = 2 }
}
run "c" {
  variables { a = run.b.s }
  assert {
    condition = output.s == 3
    error_message = "s is ${jsonencode(output.s)}"
  }
}
