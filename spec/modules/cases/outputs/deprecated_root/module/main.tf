output "a" {
  value      = 1
  deprecated = "Never."
}
output "b" {
  value = 2
}
