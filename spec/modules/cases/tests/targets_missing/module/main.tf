resource "net_host" "a" {}
module "m" {
  source = "./m"
  count  = 2
}
