-- Alert rules: conditions that the program evaluates, and who is notified.
local language = require "hclexpr.language"

return language {
  name = "alerts", description = "When who is alerted.", files = { "*.alerts.hcl" }, unit = "folder",
  blocks = {
    team = { description = "Who is alerted.", labels = { "name" }, address = "team.{name}", attributes = {
      channel = { type = "string", required = true, pattern = "^#" }, lead = { ref = "team", description = "Who hears of it later." },
    } },
    defaults = { nesting = "single", address = "defaults", attributes = {
      every = { type = "number", default = 60 }, severity = { type = "string", default = "warn", one_of = { "warn", "page" } },
    } },
    rule = { description = "A condition.", labels = { "name" }, attributes = {
      when = { type = "expression", returns = "bool", required = true, types = { metric = "map(number)" } },
      team = { ref = "team", required = true }, every = { type = "number", default_from = "defaults.every" },
    }, blocks = {
      step = { description = "What happens after some time.", attributes = {
        after = { type = "number", required = true }, severity = { type = "string", default_from = "defaults.severity" },
        message = { type = "string", default_from = '"${parent.name} for ${self.after} s"' },
      }, validation = { { condition = "self.after >= parent.every", error_message = "A step can't be earlier than ${parent.every} s." } } },
    } },
  },
}
