run "setup" {
  module {
    source = "./tests/setup"
  }
}
run "root" {
  variables {
    v = run.setup.id
  }
  assert {
    condition     = output.id != run.setup.id
    error_message = "same"
  }
}
run "setup_again" {
  module {
    source = "./tests/setup"
  }
  assert {
    condition     = output.id == run.setup.id
    error_message = "made anew"
  }
}
run "shared" {
  state_key = "k"
}
run "shared_module" {
  state_key = "k"
  module {
    source = "./tests/setup"
  }
  assert {
    condition     = output.id == run.shared.id
    error_message = "other state"
  }
}
run "shared_plan" {
  command = plan
  state_key = "k"
  variables {
    v = "new"
  }
  assert {
    condition     = terraform_data.r.id == run.shared.id
    error_message = "other id"
  }
  assert {
    condition     = terraform_data.r.output == "new"
    error_message = "unknown"
  }
}
run "after" {
}
