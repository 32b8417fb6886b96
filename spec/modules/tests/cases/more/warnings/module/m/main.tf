output "old" {
  value      = 1
  deprecated = "no more"
}
