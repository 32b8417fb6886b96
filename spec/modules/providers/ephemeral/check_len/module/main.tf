ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
check "c" {
  assert {
    condition = length(ephemeral.cloud_token.p) == 2
    error_message = "n"
  }
}
