resource "cloud_host" "i" {
  for_each = toset(["a"])
  name = "x"
}
import {
  for_each = toset(["a"])
  to = cloud_host.i[each.key]
  identity = { name = each.valu }
}
