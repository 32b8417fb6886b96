mock_provider "cloud" {}
override_data {
  target = data.cloud_image.i
  values = { regions = { a = 1 }, size_gb = "x", os = "fine" }
}
run "each_is_reported" {
  command = plan
}
