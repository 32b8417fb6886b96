variable "i" {
  type = number
}
output "s" {
  type  = string
  value = var.i
}
output "l" {
  type  = list(number)
  value = ["1", var.i]
}
