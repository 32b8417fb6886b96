test {
  parallel = true
}
run "x" {
  command = no
}
