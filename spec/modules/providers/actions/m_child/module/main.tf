module "m" {
  source = "./m"
  a = "x"
}
