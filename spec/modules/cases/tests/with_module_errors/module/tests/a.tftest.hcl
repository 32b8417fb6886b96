run "a" {
  expect_failures = [local.x]
}
