variable "a" {
  validation {
    condition = can(formatdate("YYYY", var.a))
    error_message = "no time"
  }
}
output "o" { value = var.a }
