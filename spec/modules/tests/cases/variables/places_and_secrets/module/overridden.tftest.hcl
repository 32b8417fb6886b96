variables {
  port = 9
}
override_module {
  target  = module.m
  outputs = { word = "y" }
}
run "stays_secret" {
  command = plan
  assert {
    condition     = module.m.word == "x"
    error_message = "It is ${module.m.word}."
  }
}
