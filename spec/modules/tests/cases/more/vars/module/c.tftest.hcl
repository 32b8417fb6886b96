variable "mine" {
  type = number
  default = 3
}
run "r" {
  command = plan
  variables { a = 1 }
}
