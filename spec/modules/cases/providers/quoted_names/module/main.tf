provider "null" {
  alias = "other"
}
provider "net" {
  alias = "west"
}
resource "null_resource" "a" {
  provider = "null.other"
}
resource "null_resource" "b" {
  provider = null.other
}
resource "net_host" "c" {
  provider = "net.west"
}
module "m" {
  source    = "./m"
  providers = { "null" = "null.other", net = "net.west" }
}
