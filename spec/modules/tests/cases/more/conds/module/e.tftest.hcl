run "a" {}
run "b" {
  assert {
    condition = run.a == { n = 1 } || length(run.a) == 5
    error_message = "x"
  }
  assert {
    condition = run.a.n == 7
    error_message = "n is ${run.a.n}"
  }
  assert {
    condition = run.a.zz == 7
    error_message = "n is ${run.a.n}"
  }
  assert {
    condition = run["a"].n == 7
    error_message = "n"
  }
}
