action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n.topic]
    }
  }
}
