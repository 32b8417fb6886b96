run "names" {
  command = plan
  assert {
    condition     = local.l.b.c[1] == 2
    error_message = "l"
  }
  assert {
    condition     = local.l.b.c[1] == local.l.a
    error_message = "l.b.c[1] is ${local.l.b.c[1]}, l.a is ${local.l.a}"
  }
  assert {
    condition     = terraform_data.x[0].input.b.c == tolist([1, 2])
    error_message = "types differ"
  }
  assert {
    condition     = length([for x in terraform_data.x : x if x.input.a > 5]) > 0
    error_message = <<-EOT
      Several
        lines of ${length(terraform_data.x)}.
    EOT
  }
  assert {
    condition     = terraform_data.x[var.n].input == null
    error_message = "index"
  }
  assert {
    condition     = can(terraform_data.x[9].input)
    error_message = "can"
  }
  assert {
    condition     = try(terraform_data.x[9].input, "t") == "t"
    error_message = "try"
  }
  assert {
    condition     = terraform.workspace == "default" && path.module == "."
    error_message = "workspace ${terraform.workspace}, path ${path.module}"
  }
  assert {
    condition     = contains(keys(local.l), "z")
    error_message = "keys: ${join(", ", keys(local.l))}"
  }
  assert {
    condition     = terraform_data.y == null
    error_message = "y"
  }
  assert {
    condition     = "yes" == upper(var.n)
    error_message = "   \n  trimmed?   \n "
  }
}
