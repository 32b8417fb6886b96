ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
}
module "m" {
  source = "./m"
  count = length(ephemeral.cloud_token.p)
}
