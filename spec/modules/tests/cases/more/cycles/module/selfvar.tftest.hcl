variables {
  a = var.a
}
run "one" {}
