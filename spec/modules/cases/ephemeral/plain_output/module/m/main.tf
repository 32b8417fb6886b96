output "list" {
  value     = ["a", "b"]
  ephemeral = true
}
output "set" {
  value     = toset(["x"])
  ephemeral = true
  sensitive = true
}
output "plain" {
  value = 1
}
