terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
  }
}
variable "old" {
  default    = "o"
  deprecated = "Use new."
}
resource "terraform_data" "a" { input = "${"x"}" }
output "id" { 
  value = terraform_data.a.id 
  deprecated = "gone"
}
