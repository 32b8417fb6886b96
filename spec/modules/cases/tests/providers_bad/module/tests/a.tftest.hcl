run "a" {
  providers = net
}
run "b" {
  providers = {
    net = 1
    "a" = b
    net = c
  }
}
