run "fails" {
  variables {
    fail = true
  }
}
