run "known_too" {
  plan_options {
    mode = refresh-only
  }
  variables {
    known = 1
  }
}

run "planned" {
  command = plan
  plan_options {
    mode = refresh-only
  }
}

run "made" {}

run "after" {
  plan_options {
    mode = refresh-only
  }
}
