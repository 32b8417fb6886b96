mock_resource "net_host" {
  defaults = { name = "x" }
}
override_resource {
  target = net_host.zzz
}
