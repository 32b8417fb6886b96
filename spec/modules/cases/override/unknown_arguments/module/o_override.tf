resource "terraform_data" "a" {
  input = 3
  nope  = 4
}
module "m" {
  x    = 5
  none = 6
}
