run "r" {
  command = plan
  assert {
    condition = output.s
    error_message = "x"
  }
  assert {
    condition = output.nul
    error_message = "x"
  }
  assert {
    condition = output.l
    error_message = "x"
  }
  assert {
    condition = output.o.a
    error_message = "x"
  }
  assert {
    condition = output.o.c == 1
    error_message = "x"
  }
  assert {
    condition = output.l[5] == 1
    error_message = "x"
  }
  assert {
    condition = output["n"] == 1
    error_message = "x"
  }
  assert {
    condition = output.n == 2
    error_message = output.n
  }
  assert {
    condition = output.n == 2
    error_message = output.nul
  }
  assert {
    condition = output.n == 2
    error_message = output.l
  }
  assert {
    condition = output.n == 2
    error_message = "  a\n b  \n"
  }
  assert {
    condition = output.n == 1
    error_message = output.nope
  }
  assert {
    condition = alltrue([for k, v in output.o.b : v]) && try(output.zzz, true)
    error_message = "x"
  }
  assert {
    condition = can(local.nope)
    error_message = "x"
  }
  assert {
    condition = output.n == 1 ? true : tobool("x${output.n}")
    error_message = "y"
  }
}
run "later" {}
