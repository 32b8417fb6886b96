-- Reads module blocks: the calls of modules.
local lazy = require "hclexpr.lazy"
local reading = require "hclexpr.terraform.read.reading"
local provider_names = lazy "hclexpr.terraform.read.provider_names"

local module = {}

local nested = {}

function nested.lifecycle(reader, d, block, row)
  if row.reserved then return reading.refuse_block(reader, block) end
  reading.take_enabled(reader, d, (reading.level(reader, block.body, row)).enabled)
end

local function override(_, base, d)
  if d.providers and #d.providers > 0 then base.providers = d.providers end
end

function module.declare(reader, block, row)
  local d, blocks = reading.begin(reader, block, row)
  d.depends_on = reading.depends_on(reader, d.arguments.depends_on)
  if d.arguments.providers then d.providers = provider_names.passed(reader, d.arguments.providers) end
  reading.nested(reader, d, blocks, row, nested)
  reading.settle(reader, d, row, override)
end

return module
