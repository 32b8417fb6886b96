run "a" {
  plan_options { target = [terraform_data.r] }
}
run "b" {
  assert {
    condition = run.a.s == null
    error_message = "s is ${jsonencode(run.a.s)}"
  }
}
