module "m" {
  x = 5
}
