variables {
  a {}
}
