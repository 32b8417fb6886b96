variable "env" {
  type = object({ name = string, tags = optional(map(string), {}) })
}
module "a" {
  source = "./a"
  env = var.env
}
check "ok" {
  assert {
    condition = module.a.deep != "bad"
    error_message = "deep is ${module.a.deep}"
  }
}
output "deep" { value = module.a.deep }
output "unknown_map" { value = { a = module.a.id, b = "k" } }
