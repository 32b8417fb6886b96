import {
  to = terraform_data.zz
  id = "x"
}
resource "terraform_data" "a" {
}
