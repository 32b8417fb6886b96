terraform {
  required_providers {
    cloud = { source = "elsewhere/cloud" }
  }
}
resource "cloud_host" "h" { name = "h" }
