run "one" {}
run "err" {
  variables { k = null }
}
