resource "terraform_data" "y" {}
action "cloud_notify" "n" {
  for_each = toset([terraform_data.y.id])
}
