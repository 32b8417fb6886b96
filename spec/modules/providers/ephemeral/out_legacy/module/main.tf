ephemeral "cloud_token" "p" {
  for_each = toset(["a", "b"])
  path = "a"
}
output "o" { value = ephemeral.cloud_token.p.*.path }
