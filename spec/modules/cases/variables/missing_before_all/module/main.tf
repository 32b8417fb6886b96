variable "a" {
}
variable "old" {
  default    = "x"
  deprecated = "old"
}
output "x" {
  value = var.nope
}
output "y" {
  value = var.a
}
