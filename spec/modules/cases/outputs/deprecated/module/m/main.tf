variable "old" {
  default    = "d"
  deprecated = "Old is old."
}
output "old" {
  value      = coalesce(var.old, "none")
  deprecated = "Old output."
}
output "obj" {
  value      = { x = 1 }
  deprecated = "Obj."
}
output "lst" {
  value      = ["a", "b"]
  deprecated = "Lst."
}
