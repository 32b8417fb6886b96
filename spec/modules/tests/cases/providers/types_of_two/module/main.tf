terraform {
  required_providers {
    cloud = { source = "acme/cloud" }
    other = { source = "acme/other" }
  }
}
resource "cloud_host" "h" { name = "h" }
