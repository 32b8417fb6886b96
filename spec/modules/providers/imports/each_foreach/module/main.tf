import {
  for_each = { a = "b" }
  to = terraform_data.x[each.key]
  id = each.value
}
resource "terraform_data" "x" {
  for_each = toset(["a"])
}
