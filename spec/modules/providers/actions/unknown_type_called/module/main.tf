action "cloud_nope" "n" {
  config { a = 1 }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_nope.n]
    }
  }
}
