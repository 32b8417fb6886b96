locals {
  systems = { arm = "arm64", intel = "amd64" }
}

step "publish" {
  run   = branch == "main" ? "make publish" : "true"
  needs = [step.lint, step.test]
}

step "test" {
  for_each = local.systems
  run      = "make test"
  image    = "debian:12-${each.value}"
  needs    = [step.build]
  env      = { SYSTEM = each.key }
}

step "build" {
  run     = "make"
  minutes = 20
}

step "lint" {
  run     = "make lint"
  minutes = step.build.minutes / 2
}
