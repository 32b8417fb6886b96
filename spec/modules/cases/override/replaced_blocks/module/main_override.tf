resource "net_host" "a" {
  disk { size = 5 }
  dynamic "boot" {
    for_each = []
    content {}
  }
}
resource "net_host" "b" {
  dynamic "disk" {
    for_each = [7]
    content {
      size = disk.value
      part { at = "q" }
    }
  }
}
