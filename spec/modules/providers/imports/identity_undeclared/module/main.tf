resource "cloud_host" "i" { name = "x" }
import {
  to = cloud_host.i
  identity = { name = var.none }
}
