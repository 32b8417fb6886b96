data "null_data_source" "wrong" {
  inputs = { a = var.nope }
}
data "null_data_source" "fine" {
  inputs = { a = "x" }
}
provider "tls" {
  proxy {
    url      = 5
    password = ["x"]
    port     = local.a
  }
}
