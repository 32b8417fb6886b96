resource "terraform_data" "a" {
  input = 1
  other = 2
}
module "m" {
  source = "./m"
  x      = 1
  nope   = 2
}
output "o" {
  value = [terraform_data.a.input, module.m.v]
}
