-- Reads check blocks.
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local resource = require "hclexpr.terraform.read.blocks.resource"

local check = {}

-- Reads the data source of a check. Reference: data sources and assertions with mistakes are ignored.
local function read_data(reader, d, block, row)
  if d.child then
    reader.findings:report("MODULE_BLOCK", places.of_block(block), "A check can have only one data source, and another one is at %s.",
      places.words(d.child.block.head_range))
    return
  end
  local before = reader.findings:count()
  local child = resource.read(reader, block, row, d)
  if reader.findings:count() == before then d.child = child end
end

local function read_assert(reader, d, block, row)
  local rule, fine = reading.rule(reader, block, row)
  if fine then d.rules[#d.rules + 1] = rule end
end

local function read(reader, block, row)
  local d, blocks = reading.begin(reader, block, row)
  for _, inner in ipairs(blocks) do
    local read_one = inner.type == "data" and read_data or read_assert
    read_one(reader, d, inner, row.blocks[inner.type])
  end
  if #d.rules == 0 then
    reader.findings:report("MODULE_BLOCK", places.of_block(block), "A check needs a valid assert block.")
  end
  return d
end

function check.declare(reader, block, row)
  if reader.override then
    reader.findings:report("MODULE_OVERRIDE", places.of_block(block), "Override files can't change checks.")
    return
  end
  local d = read(reader, block, row)
  local child = d.child
  if child and not reading.settle(reader, child, row.blocks.data) then return end
  reading.settle(reader, d, row)
end

return check
