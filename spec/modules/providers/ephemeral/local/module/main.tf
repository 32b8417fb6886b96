ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
locals { n = length(ephemeral.cloud_token.p) }
output "o" { value = local.n }
