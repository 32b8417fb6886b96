action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  input = 1
  lifecycle {
    action_trigger {
      condition = self.input == 1
      events = [after_update, before_create]
      actions = [action.cloud_notify.n]
    }
  }
}
