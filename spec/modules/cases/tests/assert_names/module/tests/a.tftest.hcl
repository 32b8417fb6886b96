run "a" {
  assert {
    condition     = net_host.nope.x == 1
    error_message = "${var.nope}"
  }
  assert {
    condition     = run.zzz.x == output.gone
    error_message = tonumber("x")
  }
  assert {
    condition     = contains([1])
    error_message = null
  }
}
