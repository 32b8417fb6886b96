variable "name" {}
resource "terraform_data" "x" { input = var.name }
output "name" { value = "${terraform_data.x.output}!" }
output "file" { value = trimspace(file("${path.module}/f.txt")) }
