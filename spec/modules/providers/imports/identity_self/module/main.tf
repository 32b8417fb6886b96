resource "cloud_host" "i" { name = "x" }
import {
  to = cloud_host.i
  identity = { name = cloud_host.i.name }
}
