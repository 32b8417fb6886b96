run "b" {}
