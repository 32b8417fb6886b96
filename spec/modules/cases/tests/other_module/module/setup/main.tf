output "y" { value = var.nope }
resource "terraform_data" "x" {}
