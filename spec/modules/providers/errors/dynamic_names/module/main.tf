resource "tls_private_key" "k" {
  algorithm = "ECDSA"
}
resource "tls_cert_request" "r" {
  private_key_pem = tls_private_key.k.private_key_pem
  dynamic "subject" {
    for_each = { for d in var.nope : d => "${d}/x" }
    iterator = f
    content {
      common_name  = f.value
      organization = local.none
    }
  }
}
resource "tls_cert_request" "s" {
  private_key_pem = tls_private_key.k.private_key_pem
  dynamic "subject" {
    for_each = local.nope
    content {
      common_name  = subject.value
      organization = var.none
    }
  }
}
