variable "n" { default = 1 }
output "n" { value = var.n }
output "s" { value = "true" }
output "nul" { value = null }
output "l" { value = [1,2] }
output "o" { value = { a = 1, b = [true] } }
