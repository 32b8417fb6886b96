variables {
  n = 1
}
run "both_rules_one_name" {
  command = plan
  variables {
    n = -5
  }
  expect_failures = [var.n, var.n]
}
run "tags_and_n" {
  command = plan
  variables {
    n    = 1000
    tags = { a = "b" }
  }
  expect_failures = [var.n, var.tags]
}
run "instance" {
  command = plan
  variables {
    tags = { bad = "abc", good = "def" }
  }
  expect_failures = [terraform_data.a["bad"]]
}
run "whole" {
  command = plan
  variables {
    tags = { bad = "abc", good = "def" }
  }
  expect_failures = [terraform_data.a]
}
run "post" {
  variables {
    tags = { one = "odd", two = "even" }
  }
  expect_failures = [terraform_data.a["one"]]
}
run "output_fifty" {
  variables {
    n = 50
  }
  command = plan
  expect_failures = [output.o]
}
run "check_seven" {
  variables {
    n = 7
  }
  expect_failures = [check.c]
  assert {
    condition     = output.o == {}
    error_message = "There are ${length(output.o)}"
  }
}
run "check_seven_unexpected" {
  variables {
    n = 7
  }
}
run "skipped" {
}
