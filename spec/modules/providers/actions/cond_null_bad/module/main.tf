variable "w" { default = null }
action "cloud_notify" "n" {
  config { topic = "t${var.w}" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      condition = 1 == 1 ? null : true
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
