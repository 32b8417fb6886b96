variable "n" {
  type = number
  validation {
    condition     = var.n > 0
    error_message = "n is ${var.n}, not positive."
  }
  validation {
    condition     = var.n < 100
    error_message = "n is too large."
  }
}
variable "tags" {
  type    = map(string)
  default = {}
  validation {
    condition     = alltrue([for k, v in var.tags : length(v) > 2])
    error_message = "Each tag needs three letters."
  }
}
resource "terraform_data" "a" {
  for_each = var.tags
  input    = each.value
  lifecycle {
    precondition {
      condition     = each.key != "bad"
      error_message = "The key ${each.key} is bad."
    }
    postcondition {
      condition     = self.output != "odd"
      error_message = "Output of ${each.key} is odd."
    }
  }
}
output "o" {
  value = { for k, r in terraform_data.a : k => r.output }
  precondition {
    condition     = var.n != 50
    error_message = "Not 50."
  }
}
check "c" {
  assert {
    condition     = var.n != 7
    error_message = "Seven is ${var.n}."
  }
  assert {
    condition     = length(terraform_data.a) < 3
    error_message = "Too many."
  }
}
