run "a" {
  command = plan
  plan_options { target = [terraform_data.r] }
  assert {
    condition = var.b == 3
    error_message = "b"
  }
}
