output "o" {
  value = upper(1, 2)
}
output "p" {
  value = 1
  precondition {
    condition     = output.o == 1
    error_message = local.nope
  }
}
check "e" {
  assert {
    condition     = path.module.x == 1
    error_message = "x"
  }
}
output "q" {
  value = check.e
}
