-- Converts the language's blocks to the form of provider schemas, so that completion, hover and checks of values read both in the same way.
local rows = require "hclexpr.terraform.language.rows"

local schema_form = {}

local forms = {}

local function json_type(type)
  local kind, inner = type:match "^(%l+)%((%l+)%)$"
  return kind and { kind, inner } or type
end

--- Returns the arguments of a block in the form of a schema's attributes.
---@param row hclexpr.language.Block
---@return table<string, table>
function schema_form.attributes(row)
  local made = {}
  for _, argument in ipairs(rows.arguments(row)) do
    made[argument.name] = { type = json_type(argument.type), description = argument.about, deprecated = argument.deprecated,
                            required = argument.required, optional = not argument.required or nil }
  end
  return made
end

-- Returns the row of a block with the contents that its label adds.
local function labelled(row, own)
  local blocks = {}
  for type, inner in pairs(row.blocks or {}) do blocks[type] = inner end
  for type, inner in pairs(own.blocks or {}) do blocks[type] = inner end
  return { about = row.about, arguments = (own.arguments or "") .. "\n" .. (row.arguments or ""), blocks = blocks }
end

-- Returns a nested block in the form of a schema.
local function nested(row)
  local made = { block = schema_form.of(row), labels = row.labels or {}, nesting_mode = "list", max_items = row.max, min_items = row.min,
                 row = row }
  if row.by_label then
    made.by_label = {}
    for label, own in pairs(row.by_label) do made.by_label[label] = schema_form.of(labelled(row, own)) end
  end
  return made
end

local open = { any = true, requirements = true, label = true }

--- Returns a block in the form of a schema. The result has fields that schemas lack: `open` if the block is a table of names, and `row` for
--- nested blocks.
---@param row hclexpr.language.Block
---@return { description: string, attributes: table<string, table>, block_types: table<string, table>, open?: boolean }
function schema_form.of(row)
  local made = forms[row]
  if made then return made end
  made = { description = row.about or "", attributes = schema_form.attributes(row), block_types = {}, open = open[row.rest] }
  forms[row] = made
  for type, inner in pairs(row.blocks or {}) do
    if not inner.reserved then made.block_types[type] = nested(inner) end
  end
  return made
end

return schema_form
