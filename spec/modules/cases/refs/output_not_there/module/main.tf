module "fails" {
  source = "./m"
  name   = ["no", "text"]
}
module "user" {
  source = "./m"
  name   = module.fails.nope
}
module "sound" {
  source = "./m"
  name   = "x"
}
output "user" {
  value = module.user.nothing
}
output "sound" {
  value = module.sound.nothing
}
