run "m" {
  module { source = "./m" }
  variables { name = "q" }
  assert {
    condition = output.name == "q" && terraform_data.r.input == "q" && path.module == "m"
    error_message = "pm ${path.module}"
  }
}
run "n" {
  module { source = "./m" }
  variables { name = "q" }
  assert {
    condition = output.id == run.m.id
    error_message = "same"
  }
}
run "o" {
  command = plan
  module { source = "./m" }
  state_key = "zz"
  variables { name = run.n.name }
  assert {
    condition = output.id == run.m.id
    error_message = "same"
  }
}
