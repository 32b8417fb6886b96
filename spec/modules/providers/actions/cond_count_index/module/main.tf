action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  count = 2
  lifecycle {
    action_trigger {
      condition = count.index == 0
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
