action "cloud_notify" "n" {
  for_each = { a = [1], b = "x" }
  config { topic = each.value }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n["a"], action.cloud_notify.n["b"]]
    }
  }
}
