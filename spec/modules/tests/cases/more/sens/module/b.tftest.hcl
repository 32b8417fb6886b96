variable "x" {
  ephemeral = true
  default = 1
}
variable "y" {
  sensitive = true
  default = 2
  validation {
    condition = var.y == 3
    error_message = "three"
  }
}
run "a" {
  variables {
    tok = var.x
    sec = var.y
  }
}
run "b" {
  variables {
    sec = var.x
  }
}
