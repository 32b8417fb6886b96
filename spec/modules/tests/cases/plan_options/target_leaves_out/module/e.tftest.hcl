run "a" {
  command = plan
  plan_options { target = [terraform_data.r] }
  assert {
    condition = output.s == 3
    error_message = "s"
  }
}
