test "label" {
}
run "x" {
  command = no
}
