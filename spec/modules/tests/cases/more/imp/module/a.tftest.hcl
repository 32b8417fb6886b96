run "imported" {
  assert {
    condition = output.id == "the-id" && terraform_data.r.output == 1
    error_message = "${output.id}"
  }
}
run "again" {
  assert {
    condition = output.id == "the-id"
    error_message = output.id
  }
}
