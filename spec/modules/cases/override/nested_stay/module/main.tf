resource "net_host" "a" {
  disk {
    size = 1
    part { at = "a" }
    dynamic "part" {
      for_each = var.nope
      content {}
    }
  }
}
