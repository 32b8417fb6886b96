removed {
  from = terraform_data.b
  lifecycle { destroy = false }
}
output "id" { value = 1 }
