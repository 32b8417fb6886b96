action "cloud_notify" "n" {
  count = 0
}
resource "terraform_data" "x" {
  count = 0
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n[0]]
    }
  }
}
