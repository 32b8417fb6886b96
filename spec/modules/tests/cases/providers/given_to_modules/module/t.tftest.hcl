provider "tf" {}
run "whole" {
  providers = {
    tf = tf
  }
}
run "renamed" {
  module {
    source = "./m"
  }
  providers = {
    own = tf
  }
}
