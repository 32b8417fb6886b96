variable "s" {
  ephemeral = true
  default = { a = 1 }
}
action "cloud_notify" "n" {
  for_each = var.s
}
