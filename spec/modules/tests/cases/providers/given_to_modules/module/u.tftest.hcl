provider "tf" {}
run "whole" {
  providers = {
    tf = tf
  }
}
run "not_declared_by_the_module" {
  module {
    source = "./m"
  }
  providers = {
    tf  = tf
    own = tf
  }
}
run "after" {
  module {
    source = "./m"
  }
}
