resource "terraform_data" "a" {
  input            = { l = tolist([]), n = { m = tomap({}), t = [] }, s = ["x"] }
  triggers_replace = [[], {}]
}
output "o" {
  value = terraform_data.a.output
}
