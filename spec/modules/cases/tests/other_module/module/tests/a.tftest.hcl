run "a" {
  module {
    source = "./setup"
  }
  override_resource {
    target = terraform_data.x
  }
  override_resource {
    target = terraform_data.y
  }
}
run "b" {
  module {
    source = "./setup"
  }
}
override_resource {
  target = terraform_data.x
}
override_resource {
  target = terraform_data.y
}
