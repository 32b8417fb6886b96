-- A gateway: which requests go where.
local language = require "hclexpr.language"

return language {
  name = "gate", description = "Upstreams and routes of a gateway.", files = { "*.gate.hcl" }, unit = "folder",
  functions = {
    secret = { params = { { name = "name", type = "string" } }, returns = "string", description = "A secret of this machine." },
  },
  blocks = {
    locals = language.locals(),
    upstream = { description = "Where requests go.", labels = { "name" }, address = "upstream.{name}", attributes = {
      host = { type = "string", required = true }, tls = { type = "bool", default = false },
      port = { type = "number", default_from = "self.tls ? 443 : 80" }, token = "string",
    } },
    route = { description = "Which requests go where.", labels = { "path" }, attributes = {
      to = { ref = "upstream", required = true },
      when = { type = "expression", returns = "bool", types = { request = "object({ method = string, path = string })" } },
    } },
  },
}
