action "cloud_notify" "n" {
  config { any = caller.input }
}
resource "terraform_data" "x" {
  input = 1
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
