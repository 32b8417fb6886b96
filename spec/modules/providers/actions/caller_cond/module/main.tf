action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  input = 1
  lifecycle {
    action_trigger {
      condition = caller.input == 1
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
