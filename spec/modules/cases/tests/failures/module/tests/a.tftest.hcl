run "a" {
  expect_failures = [var.a, var.nope, output.a, output.nope, check.c, check.nope, terraform_data.x, terraform_data.nope, data.a.b, terraform_data.x[0], terraform_data.x["a"].b]
}
run "b" {
  expect_failures = [local.a, module.m, module.m.x, run.a, each.key, path.module, self, terraform.workspace]
}
run "c" {
  expect_failures = [output, check["a"], var, run, plan.x, state, terraform_data, data.a, ephemeral.a.b, action.a.b]
}
run "d" {
  expect_failures = var.a
}
run "e" {
  expect_failures = ["var.a", "local.x"]
}
run "f" {
  expect_failures = []
}
