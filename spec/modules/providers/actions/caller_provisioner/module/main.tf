resource "terraform_data" "x" {
  input = 1
  provisioner "local-exec" { command = caller.input }
}
