import {
  to = terraform_data.x
  id = "${each.key}${each.value}"
}
resource "terraform_data" "x" {}
