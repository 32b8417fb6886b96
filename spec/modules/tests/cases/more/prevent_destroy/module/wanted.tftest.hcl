run "made" {}
run "by_the_run" {
  command = plan
  plan_options { replace = [terraform_data.b[0]] }
}
