module "m" {
  source = "./m"
}
output "n" {
  value = [ephemeralasnull(module.m.list) == null, ephemeralasnull(module.m.set) == null]
}
resource "terraform_data" "x" {
  input = module.m.plain
}
