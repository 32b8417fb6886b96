-- Handles blocks without a schema. The written parts show what is a block; other parts of it come from the state.
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local written = {}

-- Adds to a shape the blocks that are written in bodies without a schema.
local function written_shape(bodies, shape)
  for _, body in ipairs(bodies) do
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do
      local type, inner = block.type, block.body
      if type == "dynamic" then
        type, inner = block.labels[1], nil
        for _, content in ipairs(block.body.blocks) do inner = content.type == "content" and content.body or inner end
      end
      local of = shape.block_types[type] or { block = { block_types = {} } }
      shape.block_types[type] = of
      written_shape({ inner }, of.block)
    end
  end
  return shape
end

--- Returns the shape of a declaration's values: which parts are nested blocks.
---@param declaration hclexpr.module.Declaration
---@param schema? table
---@return table
function written.shape(declaration, schema)
  if schema then return schema end
  declaration.shape = declaration.shape or written_shape(declaration.bodies, { block_types = {}, written = true })
  return declaration.shape
end

--- Returns true if a declaration lacks a schema and has written blocks of this name.
---@param planned hclexpr.module.Planned
---@param name string
---@return boolean
function written.is_block(planned, name)
  return not planned.schema and written.shape(planned.declaration).block_types[name] ~= nil
end

--- Returns what is certain about the value of an argument whose type is unknown, because it has no schema; or nil.
---@param name string
---@param value hclexpr.Value
---@param body hclexpr.Body the body that has it
---@return hclexpr.Value?
function written.planned(name, value, body)
  local planned, err = core.planned(name, value, core.needs_schema(body))
  return planned or err and certain(nil, err)
end

local function same(a, b)
  return typed_values.bare(a) == typed_values.bare(b)
end

local listed = { list = true, set = true, tuple = true }

local completed

-- Completes written items by the other parts of old items. First each item takes the first old item that it fits; then the other items take
-- the old ones that are left, in order.
local function complete_items(now, before)
  local left, made = {}, setmetatable({}, core.array_mt)
  for _, item in before:pairs() do left[#left + 1] = item end
  local items = {}
  for key, item in now:pairs() do
    items[key + 1] = item
    for i, old in ipairs(left) do
      local whole, fits = completed(item, old)
      if fits then
        made[key + 1] = whole
        table.remove(left, i)
        break
      end
    end
  end
  for i, item in ipairs(items) do
    if not made[i] then made[i] = left[1] and completed(item, table.remove(left, 1)) or item end
  end
  return core.value(made)
end

--- Completes written blocks without a schema by their other parts in the state, which has everything that a provider returned. The second
--- result is true if all blocks are unchanged.
---@param value hclexpr.Value
---@param before hclexpr.Value
---@return hclexpr.Value
---@return boolean fits
function completed(value, before)
  local now, old = core.as_written(value), before:unmark()
  if core.is_marked(now) or not old:is_known() or old:is_null() then return now, same(now, before) end
  local kind, of = core.kind(now), core.kind(old)
  if not now:is_known() then return kind == "dynamic" and before or now, kind == "dynamic" end
  if (kind == "object" or kind == "map") and (of == "object" or of == "map") then
    local parts = {}
    for name, part in old:pairs() do parts[name] = part end
    for name, part in now:pairs() do parts[name] = parts[name] and completed(part, parts[name]) or part end
    now = core.value(parts)
  elseif kind == "tuple" and listed[of] then
    now = complete_items(now, old)
  end
  return now, same(now, before)
end
written.completed = completed

local function add_names(bodies, names)
  for _, body in ipairs(bodies) do
    for name in pairs(body.attributes) do names[name] = true end
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do add_names({ block.body }, names) end
  end
  return names
end

--- Returns the names of all written arguments in a row's resource, including those in its blocks.
---@param row table
---@return table<string, true>
function written.names(row)
  return row.declaration and add_names(row.declaration.bodies, {}) or {}
end

return written
