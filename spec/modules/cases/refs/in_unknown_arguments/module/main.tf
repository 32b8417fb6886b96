resource "terraform_data" "x" {
  foo = var.nope
  bar {
    z = local.nope
  }
  store {
    qux   = var.none
    input = 1
  }
}
data "terraform_remote_state" "s" {
  backend = "local"
  confi   = var.nope
}
resource "terraform_data" "y" {
  input = var.nope
  foo   = 1
}
