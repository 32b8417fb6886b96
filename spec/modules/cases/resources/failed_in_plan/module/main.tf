variable "l" {
  default = ["a"]
}
resource "terraform_data" "single" {
  input = var.l[3]
}
resource "terraform_data" "some" {
  count = 3
  input = count.index == 1 ? var.l[count.index] : "fine"
}
resource "terraform_data" "last" {
  count = 2
  input = var.l[count.index]
}
resource "terraform_data" "each" {
  for_each = toset(["0", "1"])
  input    = var.l[each.key]
}
