variable "port" {
  default = 7
}
run "is_at_the_declaration" {
  command = plan
}
