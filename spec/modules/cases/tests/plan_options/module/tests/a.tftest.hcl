run "a" {
  plan_options {
    mode = "normal"
  }
}
run "b" {
  plan_options {
    mode    = refresh-only
    refresh = false
    replace = [terraform_data.x]
    target  = terraform_data.x
  }
  plan_options {
  }
}
run "c" {
  plan_options {
    mode    = refreshing
    refresh = 1
    replace = [terraform_data.x[0], "terraform_data.y", upper("x")]
    targets = []
  }
}
run "d" {
  plan_options {
    refresh = null
  }
}
