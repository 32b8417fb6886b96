run "one" {
  assert {
    condition = length(terraform_data.time.output) == 20
    error_message = "time"
  }
}
run "grow" {
  variables { n = 3 }
  assert {
    condition = slice(output.ids, 0, 2) == run.one.ids && output.f == run.one.f
    error_message = "same"
  }
}
run "trigger_plan" {
  command = plan
  variables { w = "z" }
  assert {
    condition = terraform_data.i.output == "w" && terraform_data.c[0].id == run.one.ids[0]
    error_message = "ign"
  }
  assert {
    condition = terraform_data.c[0].output.w == "w"
    error_message = "unknown"
  }
  assert {
    condition = terraform_data.f["a"].id != "x"
    error_message = "unknown"
  }
}
