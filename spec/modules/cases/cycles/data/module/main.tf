data "net_image" "a" {
  count = 2
  name = "x"
  depends_on = [data.net_image.a]
}
