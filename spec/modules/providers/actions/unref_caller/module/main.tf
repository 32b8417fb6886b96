action "cloud_notify" "n" {
  config { topic = caller.input }
}
