variables {
  port = 9
}
run "is_nowhere_in_the_test" {
  variables { id = "x" }
}
