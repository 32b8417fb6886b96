run "a" {
  command = plan
  plan_options { target = [terraform_data.r] }
  assert {
    condition = local.l == 3
    error_message = "l"
  }
}
