ephemeral "cloud_token" "p" {
  count = 2
  path = "a"
  lifecycle {
    postcondition {
      condition = self.path == "b"
      error_message = "x ${self.path}"
    }
  }
}
