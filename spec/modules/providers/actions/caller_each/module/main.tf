action "cloud_notify" "n" {
  for_each = toset(["a", "b"])
  config { topic = "${each.value}${caller.input[each.key]}" }
}
resource "terraform_data" "x" {
  input = { a = 1 }
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n["a"], action.cloud_notify.n["b"]]
    }
  }
}
