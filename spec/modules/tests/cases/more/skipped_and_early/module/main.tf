variable "n" {
  type      = number
  nullable  = false
  sensitive = true
}
module "m" {
  source = "./m"
  count  = 2
  in     = terraform_data.r.output
}
resource "terraform_data" "r" { input = var.n }
variable "low" {
  default = 1
  validation {
    condition     = var.low == 1 || terraform_data.r.input == 0
    error_message = "low"
  }
}
