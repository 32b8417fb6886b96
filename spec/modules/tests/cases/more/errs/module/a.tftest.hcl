run "ok" {}
run "bad" { variables { v = 2 } }
run "skip" {}
