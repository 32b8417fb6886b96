locals {
  t = timestamp()
  u = uuid()
  b = bcrypt("x", 4)
  c = core::timestamp()
  p = plantimestamp()
}
output "t" {
  value = timestamp()
}
output "u" {
  value = [uuid(), length(local.p), local.t == null]
}
output "f" {
  value = formatdate("YYYY", timestamp())
}
output "p" {
  value = plantimestamp() == local.p
}
resource "terraform_data" "x" {
  input            = local.t
  triggers_replace = plantimestamp() == null
}
