action "cloud_notify" "n" {
  for_each = toset(["a", "b"])
  config { topic = count.index }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n["a"]]
    }
  }
}
