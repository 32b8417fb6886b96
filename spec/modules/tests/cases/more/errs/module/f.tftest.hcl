run "each" {
  command = plan
  variables {
    v = file("nope.txt")
    w = run.each.x
  }
}
