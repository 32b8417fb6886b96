run "open" {
  plan_options {
    mode = refresh-only
  }
}
