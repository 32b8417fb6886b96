mock_provider "net" {
  alias = "fake"
}
run "a" {
  providers = {
    net = net.fake
  }
}
run "b" {
  providers = {
    net = net
  }
}
run "c" {
  providers = {
    net = net.other
  }
}
