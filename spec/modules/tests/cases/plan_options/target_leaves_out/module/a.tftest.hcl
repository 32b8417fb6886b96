run "a" {
  command = plan
  plan_options { target = [terraform_data.r] }
  assert {
    condition = var.a == 2
    error_message = "a ${var.a}"
  }
}
run "b" {
  plan_options { target = [terraform_data.r] }
  assert {
    condition = output.r == 2
    error_message = "r ${output.r}"
  }
}
