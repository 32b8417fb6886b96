variable "s" {
  ephemeral = true
  default = "a"
}
action "cloud_notify" "n" {
  config { secret = var.s }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
