action "cloud_notify" "n" {
  provider = cloud.west
}
