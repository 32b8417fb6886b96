action "cloud_notify" "n" {
  config { any = terraform_data.y.input }
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
resource "terraform_data" "y" { input = 2 }
