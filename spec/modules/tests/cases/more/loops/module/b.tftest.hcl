run "dup" {
  command = plan
  assert {
    condition = terraform_data.each == null
    error_message = "x"
  }
  assert {
    condition = length(terraform_data.each) == 3 && terraform_data.each["k0"].id == null
    error_message = "x"
  }
  assert {
    condition = local.big[0] == "k0=0" && local.missing == 1
    error_message = "x"
  }
  assert {
    condition = 1 + output.nul == 2
    error_message = "x"
  }
  assert {
    condition = output.s
    error_message = "x"
  }
}
