run "fileok" {
  command = plan
  variables { v = length(file("main.tf")) > 3 ? 8 : 9 }
  assert {
    condition = var.v == 8 && fileexists("${path.module}/main.tf")
    error_message = "x"
  }
}
