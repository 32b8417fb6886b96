provider "net" {
  alias = "a"
}
module "m" {
  source    = "./m"
  providers = { net = net.a }
}
module "k" {
  source    = "./m"
  providers = { net = net.b }
}
