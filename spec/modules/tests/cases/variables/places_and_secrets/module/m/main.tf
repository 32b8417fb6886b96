output "word" {
  value     = "x"
  sensitive = true
}
