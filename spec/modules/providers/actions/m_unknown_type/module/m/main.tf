action "cloud_nope" "n" {}
