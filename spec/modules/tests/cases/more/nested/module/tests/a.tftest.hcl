variables {
  env = { name = "good" }
}
run "good" {
  assert {
    condition = output.deep == "good"
    error_message = output.deep
  }
  assert {
    condition = module.a.deep == "good" && length(var.env.tags) == 0
    error_message = "tags"
  }
}
run "bad" {
  variables { env = { name = "bad" } }
  expect_failures = [check.ok]
}
run "short_plan" {
  command = plan
  variables { env = { name = "x" } }
}
