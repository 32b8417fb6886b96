run "a" {
  command = plan
  plan_options { target = [terraform_data.r] }
  assert {
    condition = var.c == 3
    error_message = "c ${var.c}"
  }
}
