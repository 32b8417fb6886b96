action "cloud_notify" "n" {
  count = var.none
  config { topic = var.other }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n[0]]
    }
  }
}
