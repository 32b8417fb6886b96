action "cloud_nope" "n" {}
output "o" { value = var.none }
