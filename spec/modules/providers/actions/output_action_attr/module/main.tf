action "cloud_notify" "n" {
  config { topic = "t" }
}
output "o" { value = action.cloud_notify.n.topic }
