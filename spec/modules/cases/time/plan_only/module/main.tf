variable "a" {
  default = "x"
  validation {
    condition     = length(plantimestamp()) > 40
    error_message = "short"
  }
}
locals {
  n = plantimestamp() + 1
}
resource "terraform_data" "x" {
  count = length(plantimestamp()) > 3 ? 1 : 0
  lifecycle {
    precondition {
      condition     = plantimestamp() == ""
      error_message = "never"
    }
  }
}
output "known" { value = tonumber(core::plantimestamp()) }
