resource "net_host" "a" {
  disk { size = 9 }
}
