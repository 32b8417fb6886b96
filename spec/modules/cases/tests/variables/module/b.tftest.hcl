variable "a" {}
variables {
  a = 1
  a = 2
}
