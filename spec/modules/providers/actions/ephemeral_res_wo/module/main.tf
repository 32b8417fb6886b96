ephemeral "cloud_token" "p" { path = "a" }
action "cloud_notify" "n" {
  config { secret = ephemeral.cloud_token.p.id }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
