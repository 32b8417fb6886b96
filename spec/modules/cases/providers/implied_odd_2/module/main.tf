resource "net-_host" "a" {}
resource "_host" "b" {}
data "a--b_c" "c" {}
resource "net-_host" "d" {
  provider = net
}
ephemeral "x-_y" "e" {}
