variables {
  v = run.first.id
  unused = run.nope.x
}
run "first" {
  command = plan
  variables { v = "one" }
}
run "second" {
  command = plan
}
