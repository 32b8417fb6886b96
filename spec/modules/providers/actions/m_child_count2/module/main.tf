module "m" {
  source = "./m"
  count = 2
  a = count.index == 0 ? null : "a"
}
