run "made" {}
run "more" {
  variables { many = 3 }
}
run "fewer" {
  variables { many = 1 }
}
