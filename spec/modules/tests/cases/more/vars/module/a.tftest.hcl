variables {
  a = var.c + 1
  unusedfile = 5
}
run "r" {
  command = plan
  assert {
    condition = output.sum == 19
    error_message = "sum ${output.sum}"
  }
  assert {
    condition = var.unusedfile == 5 && var.ext == [1]
    error_message = "u"
  }
}
run "s" {
  command = plan
  variables {
    a = "7"
    o = { y = "2", z = 1 }
    nn = null
  }
  assert {
    condition = var.a == 7 && var.o.x == "dx" && var.nn == "d"
    error_message = "s"
  }
  assert {
    condition = output.sum == 16
    error_message = "s"
  }
}
run "bad" {
  command = plan
  variables {
    a = "x"
    o = { x = 1 }
  }
}
run "skipped" {
  command = plan
}
