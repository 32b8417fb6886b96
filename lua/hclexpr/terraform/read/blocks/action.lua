-- action blocks.
local reading = require "hclexpr.terraform.read.reading"
local provider_names = require "hclexpr.terraform.read.provider_names"
local static = require "hclexpr.terraform.read.static"

local action = { labels = { "type", "name" } }

local schema = reading.schema("count for_each provider", { config = {} })

function action.declare(reader, block)
  local type, name = block.labels[1], block.labels[2]
  reading.check_name(reader, block, 1, "type of an action")
  reading.check_name(reader, block, 2, "action")
  local arguments, blocks = reading.level(reader, block.body, schema)
  local d = reading.declaration(reader, "action", name, "action." .. type .. "." .. name, block, arguments)
  d.type = type
  reading.check_repetition(reader, arguments)
  local seen = {}
  for _, inner in ipairs(blocks) do
    if reading.only_one(reader, seen, inner) then d.bodies[1], d.config = inner.body, inner end
  end
  if arguments.provider then d.provider = provider_names.reference(static.of(reader, arguments.provider)) end
  local all = reader.folder.actions
  if not reader.override then return reading.declare(reader, all, d.address, d, "action") end
  local base = reading.overridden(reader, all, d.address, d, "action")
  if not base then return end
  base.provider, base.config = d.provider or base.provider, base.config or d.config
  reading.merge(base, d)
end

return action
