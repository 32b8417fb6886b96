action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  count = 1
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n[count.index]]
    }
  }
}
