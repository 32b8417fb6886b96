data "terraform_remote_state" "s" {
  config = { path = "x.tfstate" }
}
