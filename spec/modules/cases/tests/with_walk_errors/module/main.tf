output "x" { value = var.nope }
