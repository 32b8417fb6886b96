action "cloud_call" "n" {}
