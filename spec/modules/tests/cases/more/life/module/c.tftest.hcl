run "refresh_first" {
  plan_options { mode = refresh-only }
  assert {
    condition = length(terraform_data.c) == 0
    error_message = "none"
  }
}
