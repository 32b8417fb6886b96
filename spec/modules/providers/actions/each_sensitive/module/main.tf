action "cloud_notify" "n" {
  for_each = sensitive(toset(["a"]))
}
