-- Reads locals blocks, where each argument is a declaration.
local core = require "hclexpr.core"
local heads = require "hclexpr.terraform.read.heads"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"

local locals = {}

local function check_name(reader, attribute)
  if core.name_columns(attribute.name) then return end
  reader.findings:report("MODULE_NAME", { object = attribute, range = attribute.name_range }, "%q can't name a local value. %s",
    attribute.name, reading.NAME_RULE)
end

local function override(reader, base, d)
  base.attribute, base.file = d.attribute, reader.file
end

function locals.declare(reader, block, row)
  local attributes = reading.arguments(reader, block.body)
  if not reading.hold(reader, attributes, places.of_attribute) then return end
  for _, attribute in ipairs(attributes) do
    check_name(reader, attribute)
    reading.settle(reader, reading.declaration(reader, heads.of_local(attribute), { value = attribute }), row, override)
  end
end

return locals
