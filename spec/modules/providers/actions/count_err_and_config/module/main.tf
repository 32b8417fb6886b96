action "cloud_notify" "n" {
  count = "x"
  config { topic = count.nope }
}
