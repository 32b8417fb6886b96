run "p1" {
  parallel = true
  state_key = "1"
}
run "p2" {
  parallel = true
  state_key = "1"
  assert {
    condition = output.id == run.p1.id
    error_message = "e"
  }
}
run "p3" {
  parallel = true
  state_key = "2"
  assert {
    condition = output.id == run.p5.id
    error_message = "e"
  }
}
run "p5" {
  parallel = true
  state_key = "3"
}
