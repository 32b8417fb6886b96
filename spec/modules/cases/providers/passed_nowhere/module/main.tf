module "m" {
  source    = "./m"
  providers = { net = net }
}
