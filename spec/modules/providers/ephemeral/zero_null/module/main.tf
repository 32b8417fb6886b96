ephemeral "cloud_token" "p" {
  count = 0
  path = "a"
}
output "o" { value = ephemeral.cloud_token.p == null }
