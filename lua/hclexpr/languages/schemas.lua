-- The levels of a description as schemas of the core, including the levels below. They are used to expand `dynamic` blocks.
local schemas = {}

local function build(level, known)
  if known[level] then return known[level] end
  local out = { attributes = {}, blocks = {} }
  known[level] = out
  for _, a in ipairs(level.argument_list) do table.insert(out.attributes, { name = a.name, required = a.required, kept = true }) end
  for _, kind in ipairs(level.kind_list) do
    table.insert(out.blocks, { type = kind.type, labels = kind.labels, nesting = 0, schema = build(kind.level, known) })
  end
  return out
end

--- Makes a schema of those kinds of a level that `types` names. The rest of the body is ignored.
---@param level hclexpr.languages.Level
---@param types table<string, true>
---@return table
function schemas.of(level, types)
  local out, known = { attributes = {}, blocks = {}, partial = true }, {}
  for _, kind in ipairs(level.kind_list) do
    if types[kind.type] then
      table.insert(out.blocks, { type = kind.type, labels = kind.labels, nesting = 0, schema = build(kind.level, known) })
    end
  end
  return out
end

return schemas
