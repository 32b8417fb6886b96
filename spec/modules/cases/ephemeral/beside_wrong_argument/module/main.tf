resource "terraform_data" "t" {
  inputs = 1
  input  = terraform.applying
}
resource "terraform_data" "u" {
  input            = terraform.applying
  triggers_replace = [terraform.applying]
}
