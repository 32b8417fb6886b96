origin = "example.org."

locals {
  net = "192.0.2.0/24"
}

host "server" {
  for_each = { mx = 10, www = 80, cache = 81 }
  address  = cidrhost(local.net, each.value)
  ttl      = each.key == "cache" ? 60 : null
}

alias "ftp" {
  of = host.server["www"]
}

mail {
  host       = host.server["mx"]
  preference = 10
}
