variables { env = { name = "cc" } }
run "setup" {
  module { source = "./b" }
  variables { name = "setup" }
}
run "other_setup" {
  module { source = "./tests/setup" }
  variables { name = run.setup.out }
  assert {
    condition = output.file == "hello" && path.module == "tests/setup" && path.root == "tests/setup" && var.env.name == "cc"
    error_message = "${output.file} ${path.module} ${path.root}"
  }
}
run "main" {
  variables { env = { name = run.other_setup.name } }
  assert {
    condition = output.deep == "setup!"
    error_message = output.deep
  }
  assert {
    condition = run.setup.id == run.setup.id && run.setup != null
    error_message = output.deep
  }
}
