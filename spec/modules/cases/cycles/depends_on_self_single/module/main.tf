resource "net_host" "a" {
  depends_on = [net_host.a]
}
resource "terraform_data" "b" {
  count = 2
  depends_on = [terraform_data.b]
}
output "o" { value = terraform_data.b[0].input }

