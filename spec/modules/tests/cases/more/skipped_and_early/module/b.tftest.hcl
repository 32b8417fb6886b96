run "fails_while_planning" {
  variables {
    n   = 1
    low = 2
  }
}
