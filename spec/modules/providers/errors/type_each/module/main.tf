resource "cloud_nope" "n" {
  for_each = [1]
  depends_on = [terraform_data.nope]
  name = var.none
  lifecycle {
    precondition {
      condition = var.nope
      error_message = "a"
    }
  }
}
