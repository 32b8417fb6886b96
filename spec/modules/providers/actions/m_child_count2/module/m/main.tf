variable "a" {}
action "cloud_notify" "n" {
  config { topic = "t${var.a}" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
