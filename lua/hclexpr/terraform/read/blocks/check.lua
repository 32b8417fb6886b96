-- check blocks.
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local resource = require "hclexpr.terraform.read.blocks.resource"

local check = { labels = { "name" } }

local schema = reading.schema("", { data = { "type", "name" }, assert = {} })

-- Reference: a data source or an assertion with a mistake counts as none.
local function read_data(reader, d, block)
  if d.child then
    reader.findings:report("MODULE_BLOCK", places.of_block(block), "A check has one data source, and there is one at %s already.",
      places.words(d.child.block.head_range))
    return
  end
  local before = reader.findings:count()
  local child = resource.read(reader, block, d)
  if reader.findings:count() == before then d.child = child end
end

local function read_assert(reader, d, block)
  local rule, fine = reading.rule(reader, block)
  if fine then d.rules[#d.rules + 1] = rule end
end

local function read(reader, block)
  local name = block.labels[1]
  local _, blocks = reading.level(reader, block.body, schema)
  local d = reading.declaration(reader, "check", name, "check." .. name, block, {})
  reading.check_name(reader, block, 1, "check")
  for _, inner in ipairs(blocks) do
    if inner.type == "data" then read_data(reader, d, inner) else read_assert(reader, d, inner) end
  end
  if #d.rules == 0 then
    reader.findings:report("MODULE_BLOCK", places.of_block(block), "A check needs an assert block that is right.")
  end
  return d
end

function check.declare(reader, block)
  if reader.override then
    reader.findings:report("MODULE_OVERRIDE", places.of_block(block), "Override files can't change checks.")
    return
  end
  local d = read(reader, block)
  local child = d.child
  if child and not reading.declare(reader, reader.folder.resources, child.address, child, "data source") then return end
  reading.declare(reader, reader.folder.checks, d.name, d, "check")
end

return check
