run "one" {
  variables {
    a = run.two.a
  }
}
run "two" {
  variables {
    a = run.one.a
  }
}
