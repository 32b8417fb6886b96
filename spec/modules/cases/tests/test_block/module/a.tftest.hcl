test {
  parallel = true
}
test {
  parallel = 1
}
run "x" {
  command = no
}
