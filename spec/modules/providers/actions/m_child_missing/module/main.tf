action "cloud_notify" "n" {
  config { topic = "t" }
}
module "m" {
  source = "./m"
}
