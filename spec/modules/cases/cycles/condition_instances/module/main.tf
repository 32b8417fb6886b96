resource "net_host" "a" {
  count = 2
  lifecycle {
    postcondition {
      condition = net_host.a[0].ip != net_host.a[1].ip
      error_message = "same"
    }
  }
}

