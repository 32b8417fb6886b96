run "b" {
  expect_failures = [local.a, module.m, module.m.x, run.a, each.key, path.module, self, terraform.workspace, count.index]
}
run "c" {
  expect_failures = [output, check["a"], var, run, plan.x, state, terraform_data, data.a, ephemeral.a.b, var["x"], output.a.b.c]
}
