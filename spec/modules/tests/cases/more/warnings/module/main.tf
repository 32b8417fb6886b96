resource "terraform_data" "a" {
  input = 1
  lifecycle { ignore_changes = [id] }
}
module "n" {
  source = "./m"
  count  = 1
}
output "old" { value = module.n[0].old }
