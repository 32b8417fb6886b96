run "a" {
  command = no
}
