-- A DNS zone: hosts with addresses, and records that follow from them.
local language = require "hclexpr.language"

return language {
  name = "zone", description = "Hosts and records of a DNS zone.", files = { "*.zone.hcl" },
  attributes = {
    origin = { type = "string", required = true, pattern = "[.]$" }, ttl = { type = "number", default = 3600, min = 60 },
  },
  blocks = {
    locals = language.locals(),
    host = {
      description = "A machine.", labels = { "name" }, address = "host.{name}", for_each = true,
      attributes = {
        address = { type = "string", required = true, description = "Its IPv4 address." },
        ttl = { type = "number", default_from = "parent.ttl" },
        fqdn = { type = "string", value_from = '"${each.key}.${parent.origin}"' },
      },
    },
    alias = { description = "Another name of a host.", labels = { "name" }, attributes = { of = { ref = "host", required = true } } },
    mail = { description = "A server that takes mail.", attributes = { host = { ref = "host", required = true }, preference = "number" } },
  },
}
