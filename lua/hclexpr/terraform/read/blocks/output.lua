-- output blocks.
local reading = require "hclexpr.terraform.read.reading"
local type_constraints = require "hclexpr.terraform.read.type_constraints"

local output = { labels = { "name" } }

local schema = reading.schema("description value! depends_on sensitive ephemeral deprecated type",
  { precondition = {}, postcondition = {} })
local override_schema = reading.optional(schema)

local function read(reader, block)
  local name = block.labels[1]
  local arguments, blocks = reading.level(reader, block.body, reader.override and override_schema or schema)
  local d = reading.declaration(reader, "output", name, "output." .. name, block, arguments)
  reading.check_name(reader, block, 1, "output")
  reading.text(reader, arguments.description)
  if arguments.type then d.value_type = type_constraints.read(reader, arguments.type) end
  d.sensitive = reading.flag(reader, arguments.sensitive)
  d.ephemeral = reading.flag(reader, arguments.ephemeral)
  d.deprecated = reading.text(reader, arguments.deprecated)
  d.depends_on = reading.depends_on(reader, arguments.depends_on)
  for _, inner in ipairs(blocks) do
    if inner.type == "precondition" then
      d.rules[#d.rules + 1] = (reading.rule(reader, inner))
    else
      reader.findings:report("MODULE_RULE", { object = inner, range = inner.type_range }, "Outputs have preconditions only: nothing is "
        .. "known after them that wasn't before.")
    end
  end
  return d
end

local function override(reader, base, d)
  for _, name in ipairs { "sensitive", "ephemeral", "value_type" } do
    if d[name] ~= nil then base[name] = d[name] end
  end
  reading.keep_depends_on(reader, d)
  reading.merge(base, d)
end

function output.declare(reader, block)
  local d = read(reader, block)
  local known = reader.folder.outputs
  if not reader.override then return reading.declare(reader, known, d.name, d, "output") end
  local base = reading.overridden(reader, known, d.name, d, "output")
  if base then override(reader, base, d) end
end

return output
