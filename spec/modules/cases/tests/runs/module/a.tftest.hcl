run "x" {
  command = planning
  assert {
    condition = output.a == 1
  }
}
run "x" {}
run "y z" {
  command = "plan"
}
run "q" {
  command = plan
  nonsense = 1
  assert {
    condition     = true
    error_message = "x"
  }
  assert {
    condition     = 1 == 2
    error_message = "x ${output.a}"
    more = 1
  }
  unknown {}
}
run {}
run "a" "b" {}
run "variables" {
  variables {
    a = 1
    a = 2
  }
  variables {
    b = 1
  }
  variables = 1
}
run "vars" {
  variables {
    b {}
  }
  state_key = 1
  parallel  = "true"
}
run "types" {
  state_key = ["a"]
  parallel  = "maybe"
}
run "types2" {
  state_key = var.x
  parallel  = null
  skip_cleanup = true
}
run "backend" {
  backend "local" {}
}
run "backend2" {
  command = plan
  backend "local" {}
  backend "remote" {}
}
other = 1
locals {}
resource "a" "b" {}
