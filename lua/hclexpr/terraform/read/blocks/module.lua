-- module blocks: calls.
local lazy = require "hclexpr.lazy"
local reading = require "hclexpr.terraform.read.reading"
local provider_names = lazy "hclexpr.terraform.read.provider_names"

local module = { labels = { "name" } }

local schema = reading.schema("source! version count for_each depends_on providers ignore_nested_deprecations",
  { _ = {}, lifecycle = {}, locals = {}, provider = { "type" } }, true)
local override_schema = reading.optional(schema)

local function read(reader, block)
  local name = block.labels[1]
  local arguments, blocks, rest = reading.level(reader, block.body, reader.override and override_schema or schema)
  local d = reading.declaration(reader, "call", name, "module." .. name, block, arguments)
  d.bodies[1] = rest
  reading.check_name(reader, block, 1, "module call")
  reading.check_repetition(reader, arguments)
  d.depends_on = reading.depends_on(reader, arguments.depends_on)
  if arguments.providers then d.providers = provider_names.passed(reader, arguments.providers) end
  d.quiet = reading.flag(reader, arguments.ignore_nested_deprecations)
  reading.escapes(reader, d, blocks, { _ = true })
  return d
end

function module.declare(reader, block)
  local d = read(reader, block)
  local known = reader.folder.calls
  if not reader.override then return reading.declare(reader, known, d.name, d, "module call") end
  local base = reading.overridden(reader, known, d.name, d, "module call")
  if not base then return end
  reading.keep_depends_on(reader, d)
  if d.providers and #d.providers > 0 then base.providers = d.providers end
  reading.merge(base, d)
end

return module
