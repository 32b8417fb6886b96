variables {
  unused = run.second.id
}
run "first" {
}
run "second" {
  assert {
    condition = var.unused == 1
    error_message = "u"
  }
}
