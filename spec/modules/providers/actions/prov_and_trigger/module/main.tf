action "cloud_notify" "n" {
  config { topic = var.none }
}
resource "terraform_data" "x" {
  input = var.nope
  provisioner "local-exec" { command = "true" }
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
