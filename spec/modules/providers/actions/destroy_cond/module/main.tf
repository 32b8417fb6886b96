action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  input = 1
  lifecycle {
    action_trigger {
      condition = true
      events = [before_destroy, after_destroy, after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
