run "a" {
  plan_options { target = [terraform_data.r] }
  assert {
    condition = output.const == 5
    error_message = "const"
  }
}
