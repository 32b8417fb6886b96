run "a" {
  assert {
    condition = output.sec == "x"
    error_message = "it is ${output.sec}"
  }
  assert {
    condition = output.obj.b == 1 && issensitive(output.obj.b) && var.tok == "e"
    error_message = "b"
  }
  assert {
    condition = var.sec == "q"
    error_message = var.tok
  }
  assert {
    condition = nonsensitive(output.sec) == "q"
    error_message = nonsensitive("it ${output.sec}")
  }
}
run "b" {
  variables { sec = run.a.obj.b }
  assert {
    condition = output.in == 1
    error_message = "in"
  }
}
run "c" {
  variables { sec = ephemeralasnull(var.x) }
}
