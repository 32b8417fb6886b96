action "cloud_notify" "n" {
  config { 
 to {}
 }
}
