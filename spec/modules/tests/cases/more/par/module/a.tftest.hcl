test { parallel = true }
run "a" {
  state_key = "a"
  assert {
    condition = output.v == "no"
    error_message = "a"
  }
}
run "b" {
  state_key = "b"
  variables { v = tonumber("q") }
}
run "c" {
  state_key = "c"
  variables { v = run.b.v }
}
run "d" {
  state_key = "d"
  variables { v = "${run.a.v}1" }
  assert {
    condition = output.v == "x1"
    error_message = "d"
  }
}
run "e" { parallel = false }
