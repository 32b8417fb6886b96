action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      condition = var.none
      events = [after_update]
      actions = [action.cloud_notify.n]
    }
  }
}
