action "cloud_notify" "n" {
  config { any = caller.size }
}
resource "cloud_host" "h" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
resource "terraform_data" "d" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
