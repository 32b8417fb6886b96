resource "net_host" "a" {
  count = 2
  lifecycle {
    replace_triggered_by = [net_host.a[0].ip]
  }
}
resource "net_host" "b" {
  count = 2
  lifecycle {
    replace_triggered_by = [net_host.b[count.index].ip]
  }
}
resource "net_host" "c" {
  count = 2
  lifecycle {
    replace_triggered_by = [net_host.c]
  }
}
