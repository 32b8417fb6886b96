ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
output "x" {
  ephemeral = true
  value = ephemeral.cloud_token.p
}
