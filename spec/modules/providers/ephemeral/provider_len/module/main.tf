ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
provider "cloud" {
  region = length(ephemeral.cloud_token.p)
}
