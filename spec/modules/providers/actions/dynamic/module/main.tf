action "cloud_notify" "n" {
  config { 
 dynamic "to" {
 for_each = ["a"]
 content { who = to.value }
 }
 }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
