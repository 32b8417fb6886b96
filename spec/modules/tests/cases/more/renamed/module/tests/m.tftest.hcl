run "old" {
  state_key = "x"
}
run "new" {
  state_key = "x"
  command   = plan
  module {
    source = "./tests/next"
  }
  assert {
    condition     = output.ids == run.old.ids
    error_message = jsonencode(output.ids)
  }
}
run "newer" {
  state_key = "x"
  module {
    source = "./tests/next"
  }
  variables {
    names = ["b"]
  }
  assert {
    condition     = output.ids["b"] == run.old.ids["b"]
    error_message = "anew"
  }
  assert {
    condition     = length(output.ids) == 2
    error_message = "There are ${join(",", keys(output.ids))}"
  }
}
