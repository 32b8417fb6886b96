mock_resource "net_host" {
  defaults = {}
  nope = 1
}
mock_resource "net_host" {}
run "x" {}
