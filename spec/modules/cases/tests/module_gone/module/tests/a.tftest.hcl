run "a" {
  module {
    source = "./gone"
  }
}
run "b" {
  module {
    source = "acme/net/cloud"
  }
}
