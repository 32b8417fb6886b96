variable "s" {
  ephemeral = true
  default = "a"
}
action "cloud_notify" "n" {
  config { 
 to { who = var.s }
 }
}
