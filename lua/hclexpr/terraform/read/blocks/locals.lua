-- locals blocks: each argument is a declaration.
local core = require "hclexpr.core"
local reading = require "hclexpr.terraform.read.reading"

local locals = { labels = {} }

local function check_name(reader, attribute)
  if core.name_columns(attribute.name) then return end
  reader.findings:report("MODULE_NAME", { object = attribute, range = attribute.name_range }, "%q can't name a local value. %s",
    attribute.name, reading.NAME_RULE)
end

function locals.declare(reader, block)
  local known = reader.folder.locals
  for _, attribute in ipairs((reading.arguments(reader, block.body))) do
    local name = attribute.name
    check_name(reader, attribute)
    local d = reading.declaration(reader, "local", name, "local." .. name, nil, { value = attribute })
    d.attribute = attribute
    if not reader.override then
      reading.declare(reader, known, name, d, "local value")
    else
      local base = reading.overridden(reader, known, name, d, "local value")
      if base then
        base.arguments, base.attribute, base.file = d.arguments, attribute, reader.file
      end
    end
  end
end

return locals
