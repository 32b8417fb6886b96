variable "a" { type = number }
variable "c" { type = number }
variable "o" {
  type = object({ x = optional(string, "dx"), y = number })
  default = { y = 1 }
}
variable "sec" {
  sensitive = true
  default = "s"
}
variable "nn" {
  nullable = false
  default = "d"
}
output "sum" { value = var.a + var.c }
output "o" { value = var.o }
