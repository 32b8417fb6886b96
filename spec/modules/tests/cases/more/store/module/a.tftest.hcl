run "a" {
  assert {
    condition = output.o == "secret"
    error_message = output.o
  }
  assert {
    condition = terraform_data.q.store.sensitive_output == "secret" && terraform_data.q.store.output == null
    error_message = "x"
  }
}
run "same_version" {
  variables { s = "other" }
  assert {
    condition = output.o == "secret" && nonsensitive(terraform_data.q.store.sensitive_output) == "other"
    error_message = output.o
  }
}
run "next_version" {
  variables {
    s = "other"
    n = 2
  }
  assert {
    condition = output.o == "other"
    error_message = output.o
  }
}
