run "warns_once" {
  command = plan
  variables { more = 1 }
  assert {
    condition     = output.in != var.text && var.text == "cli"
    error_message = var.text
  }
}
run "is_no_expression" {
  command = plan
  variables { more = 1 }
  assert {
    condition     = output.in == var.word
    error_message = "x"
  }
}
