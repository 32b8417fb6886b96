variables {
  a = run.zero.a
}
run "one" {}
