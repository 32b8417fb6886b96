run "old" { state_key = "x" }
run "new" {
  state_key = "x"
  module { source = "./new" }
  assert {
    condition = output.id == run.old.id
    error_message = "moved"
  }
}
run "gone" {
  state_key = "x"
  module { source = "./gone" }
}
run "again" {
  state_key = "x"
  command = plan
  module { source = "./new" }
  assert {
    condition = output.id == run.old.id
    error_message = "moved"
  }
}
