variable "port" {
  type = number
  validation {
    condition     = var.port > 8
    error_message = "The port is ${var.port}."
  }
}
variable "id" {
  default = ""
  validation {
    condition     = var.id == "" || var.id == terraform_data.t.id
    error_message = "Another id."
  }
}
module "m" { source = "./m" }
resource "terraform_data" "t" {}
output "port" { value = var.port }
output "word" {
  value     = module.m.word
  sensitive = true
}
