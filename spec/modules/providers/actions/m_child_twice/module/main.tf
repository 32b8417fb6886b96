module "m" {
  source = "./m"
}
module "k" {
  source = "./m"
}
