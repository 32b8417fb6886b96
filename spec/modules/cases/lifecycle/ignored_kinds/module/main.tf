variable "v" {
  default = 1
}
resource "terraform_data" "ignored" {
  input            = { v = var.v, l = [var.v], keep = "k" }
  triggers_replace = var.v
  lifecycle {
    ignore_changes = [input["v"], triggers_replace]
  }
}
output "o" {
  value = terraform_data.ignored.output
}
