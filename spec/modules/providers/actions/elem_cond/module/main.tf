action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [true ? action.cloud_notify.n : action.cloud_notify.n]
    }
  }
}
