variable "w" { default = null }
action "cloud_notify" "n" {
  config { topic = "t${var.w}" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events = [after_update]
      actions = [action.cloud_notify.n]
    }
  }
}
