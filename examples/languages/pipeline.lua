-- A pipeline: steps that need each other, in several systems.
local language = require "hclexpr.language"

return language {
  name = "pipeline", description = "Steps that build and test.", files = { "*.pipeline.hcl" },
  types = { branch = "string" },
  blocks = {
    locals = language.locals(),
    step = {
      description = "A command.", labels = { "name" }, address = "step.{name}", for_each = true,
      attributes = {
        run = { type = "string", required = true }, image = { type = "string", default = "debian:12" },
        needs = { refs = "step", description = "The steps before it." }, minutes = { type = "number", default = 10, min = 1, max = 120 },
        env = "map(string)",
      },
      validation = { { condition = "length(self.run) > 0", error_message = "The step ${self.name} runs nothing." } },
    },
  },
}
