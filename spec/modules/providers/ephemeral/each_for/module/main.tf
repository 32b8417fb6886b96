ephemeral "cloud_token" "p" {
  for_each = toset(["a", "b"])
  path = "a"
}
output "o" { value = [for x in ephemeral.cloud_token.p : 1] }
