ephemeral "cloud_token" "p" {
  path = "a"
}
output "o" { value = [for x in ephemeral.cloud_token.p : 1] }
