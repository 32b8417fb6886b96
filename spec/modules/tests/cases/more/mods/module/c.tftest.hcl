run "more" {
  variables { names = ["a", "b", "c"] }
}
run "less" {
  variables { names = ["c"] }
  assert {
    condition = length(module.many) == 1 && keys(module.each) == ["c"]
    error_message = "x"
  }
  assert {
    condition = module.one.id == run.more.all[0]
    error_message = "kept"
  }
}
