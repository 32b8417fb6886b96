output "a" { value = var.nope }
