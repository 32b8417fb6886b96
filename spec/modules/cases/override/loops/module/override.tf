resource "net_host" "a" {
  name = "x"
}
