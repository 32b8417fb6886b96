variable "c" {
  type = list(string)
}
variables { a = 1 }
run "r" {
  command = plan
}
