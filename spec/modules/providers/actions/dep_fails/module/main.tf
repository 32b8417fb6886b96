variable "w" { default = null }
action "cloud_notify" "n" {
  config { any = terraform_data.q.id }
}
resource "terraform_data" "q" { input = "a${var.w}" }
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.cloud_notify.n]
    }
  }
}
output "o" { value = terraform_data.x.id }
