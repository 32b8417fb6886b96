variable "w" { default = null }
action "cloud_notify" "n" {
  config { topic = "t${var.w}" }
}
