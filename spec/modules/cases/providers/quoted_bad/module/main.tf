resource "null_resource" "a" {
  provider = "null.other.x"
}
resource "null_resource" "b" {
  provider = "null[0]"
}
resource "null_resource" "c" {
  provider = "true.x"
}
resource "null_resource" "d" {
  provider = null
}
