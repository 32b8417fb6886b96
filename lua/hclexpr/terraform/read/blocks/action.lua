-- Reads action blocks.
local reading = require "hclexpr.terraform.read.reading"
local provider_names = require "hclexpr.terraform.read.provider_names"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"

local action = {}

local nested = {}

function nested.config(_, d, block) d.bodies[1], d.config = block.body, block end

local function override(_, base, d)
  base.provider, base.config = d.provider or base.provider, base.config or d.config
end

function action.declare(reader, block, row)
  local d, blocks = reading.begin(reader, block, row)
  reading.nested(reader, d, blocks, row, nested)
  if d.arguments.provider then d.provider = provider_names.reference(constant_expressions.of(reader, d.arguments.provider)) end
  reading.settle(reader, d, row, override)
end

return action
