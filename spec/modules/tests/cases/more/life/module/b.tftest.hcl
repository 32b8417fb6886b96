run "one" {}
run "trigger" {
  variables {
    w = "z"
    k = ["a", "c"]
    n = 1
  }
  assert {
    condition = output.f["a"] != run.one.f["a"] && keys(output.f) == ["a", "c"]
    error_message = "trig"
  }
  assert {
    condition = output.ids == [run.one.ids[0]]
    error_message = "ids"
  }
  assert {
    condition = terraform_data.c[0].output.w == "z"
    error_message = "w"
  }
}
run "replace" {
  variables {
    w = "z"
    k = ["a", "c"]
    n = 1
  }
  plan_options { replace = [terraform_data.f["a"], terraform_data.c[0]] }
  assert {
    condition = output.f["a"] != run.trigger.f["a"] && output.f["c"] == run.trigger.f["c"] && output.ids != run.trigger.ids
    error_message = "repl"
  }
}
