module "in" {
  source = "../m"
  old    = 1
}
output "v" {
  value = module.in.old
}
output "w" {
  value      = module.in.obj
  deprecated = "Told by it."
}
