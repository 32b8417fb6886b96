run "a" {
  plan_options { target = [terraform_data.r] }
}
run "b" {
  variables { a = run.a }
}
