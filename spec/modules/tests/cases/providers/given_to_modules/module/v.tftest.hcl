provider "tf" {
  alias = "second"
}
run "by_alias" {
  module {
    source = "./m"
  }
  providers = {
    own     = tf.second
    foo.bar = tf.second
  }
}
