test {
  parallel     = "x"
  skip_cleanup = true
  more         = 1
}
run "x" {
  command = no
}
