provider "net" {
  region = "eu"
}
module "m" {
  a = 2
}
resource "net_host" "h" {
  tags = {}
}
