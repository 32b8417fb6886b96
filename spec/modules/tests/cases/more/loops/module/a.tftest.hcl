run "a" {
  assert {
    condition = alltrue([for k, v in output.ids : v == local.m[k]])
    error_message = "x"
  }
  assert {
    condition = output.s == toset(["a", "b"]) && contains(output.s, "a")
    error_message = "x"
  }
  assert {
    condition = output.num == 1.5 && output.nul == null
    error_message = "x"
  }
  assert {
    condition = terraform_data.each["k1"].output == 1 && terraform_data.each["k9"].output == 1
    error_message = "x"
  }
  assert {
    condition = [for r in terraform_data.each : r.input] == [0, 1, 3]
    error_message = "list ${join(",", [for r in terraform_data.each : r.input])}"
  }
  assert {
    condition = one(output.s) == "a"
    error_message = "one"
  }
  assert {
    condition = regex("^k", keys(local.m)[0]) == "k"
    error_message = <<-EOT
      heredoc
      ${output.num}
    EOT
  }
  assert {
    condition = terraform_data.each.k1.output == 1
    error_message = "x"
  }
  assert {
    condition = terraform_data.each[*].output == 1
    error_message = "x"
  }
  assert {
    condition = var.nope == 1
    error_message = "x"
  }
  assert {
    condition = strcontains(output.num, "x")
    error_message = "num ${output.num} ${output.nul == null ? "n" : "m"}"
  }
}
