action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  input = 1
  lifecycle {
    action_trigger {
      condition = self.nope == 1
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
