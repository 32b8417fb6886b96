run "x" {
  command = no
}
