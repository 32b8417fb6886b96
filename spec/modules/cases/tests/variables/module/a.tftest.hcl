variables {
  a = 1
  b = var.c
}
variables {}
variable "a" {}
variable "c" {
  type = strin
}
variable "d" {
  default = 1
}
variable "d" {}
variable "e" {
  validation {
    condition     = var.f == 1
    error_message = "x"
  }
}
variable "source" {}
