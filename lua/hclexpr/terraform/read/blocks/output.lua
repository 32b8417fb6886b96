-- Reads output blocks.
local reading = require "hclexpr.terraform.read.reading"
local type_constraints = require "hclexpr.terraform.read.type_constraints"

local output = {}

local nested = { precondition = reading.add_rule }

function nested.postcondition(reader, _, block)
  reader.findings:report("MODULE_RULE", { object = block, range = block.type_range }, "Outputs can only have preconditions, because no "
    .. "more is known after their evaluation.")
end

local function override(_, base, d)
  base.value_type = d.value_type or base.value_type
end

function output.declare(reader, block, row)
  local d, blocks = reading.begin(reader, block, row)
  local arguments = d.arguments
  if arguments.type then d.value_type = type_constraints.read(reader, arguments.type) end
  d.depends_on = reading.depends_on(reader, arguments.depends_on)
  reading.nested(reader, d, blocks, row, nested)
  reading.settle(reader, d, row, override)
end

return output
