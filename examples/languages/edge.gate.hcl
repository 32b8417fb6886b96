locals {
  base = "eu.example.org"
}

upstream "mail" {
  host  = "mail.${local.base}"
  port  = upstream.users.port + 1
  token = secret("mail")
}

upstream "users" {
  host = "users.${local.base}"
}

route "/mail" {
  to   = upstream.mail
  when = request.method == "GET" && startswith(request.path, "/mail")
}
