variable "w" { default = null }
action "cloud_notify" "n" {
  config { topic = "t${var.w}" }
}
resource "terraform_data" "x" {
  input = 1
  lifecycle {
    postcondition {
      condition = self.input == 2
      error_message = "no"
    }
    action_trigger {
      events = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
