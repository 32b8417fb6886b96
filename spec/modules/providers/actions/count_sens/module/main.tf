variable "s" {
  sensitive = true
  default = 1
}
action "cloud_notify" "n" {
  count = var.s
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n[1]]
    }
  }
}
