run "a" {
  module {
    source = "./x"
  }
  expect_failures = [local.x]
}
