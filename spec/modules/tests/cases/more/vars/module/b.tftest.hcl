variables {
  a = 1
  sec = 5
}
variable "mine" {
  type = string
}
run "r" {
  command = plan
  variables { a = length(var.mine) }
}
