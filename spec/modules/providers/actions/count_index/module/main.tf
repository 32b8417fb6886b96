action "cloud_notify" "n" {
  count = 2
  config { topic = "t" }
}
resource "terraform_data" "x" {
  count = 3
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n[count.index]]
    }
  }
}
