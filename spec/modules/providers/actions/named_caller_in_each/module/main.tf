action "cloud_notify" "n" {
  for_each = toset([terraform_data.x.input])
}
resource "terraform_data" "x" {
  input = "a"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n["a"]]
    }
  }
}
