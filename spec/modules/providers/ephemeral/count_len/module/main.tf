ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
output "o" { value = length(ephemeral.cloud_token.p) }
