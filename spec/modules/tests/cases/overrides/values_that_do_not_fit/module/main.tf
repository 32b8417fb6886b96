data "cloud_image" "i" {
  name = "x"
}
