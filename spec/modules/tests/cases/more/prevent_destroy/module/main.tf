variable "trigger" { default = 1 }
variable "many" { default = 2 }
resource "terraform_data" "a" {
  triggers_replace = var.trigger
  lifecycle { prevent_destroy = true }
}
resource "terraform_data" "b" {
  count = var.many
  lifecycle { prevent_destroy = true }
}
