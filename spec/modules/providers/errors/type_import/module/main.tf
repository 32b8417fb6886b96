resource "cloud_nope" "n" {}
import {
  to = cloud_nope.n
  id = var.none
}
