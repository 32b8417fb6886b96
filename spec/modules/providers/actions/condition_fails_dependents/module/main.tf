action "cloud_notify" "n" {
  config { topic = "t" }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      condition = [true]
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
resource "terraform_data" "z" { input = terraform_data.x.nope }
