-- Describes values for the JSON of plans: their known parts, and which parts are unknown or sensitive, in the shape of the value.
--
-- Results are trees of Lua tables, strings, numbers and Values, from which core.value makes one Value.
local core = require "hclexpr.core"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local value_parts = {}

local array_mt, null = core.array_mt, core.null

--- Makes a table an array, even if it is empty.
---@param list? any[]
---@return any[]
function value_parts.list(list)
  return setmetatable(list or {}, array_mt)
end

local listed = { list = true, set = true, tuple = true }

-- Returns the kind of a value with elements, or nil for any other value.
local function kind_of(plain)
  if not plain:is_known() or plain:is_null() then return nil end
  local kind = core.kind(plain)
  return not typed_values.is_primitive(kind) and kind or nil
end

--- Returns true if a value has a mark, so that it must not be shown.
---@param value hclexpr.Value
---@return boolean
function value_parts.is_secret(value)
  return value:marks()[1] ~= nil
end

--- Returns the known parts of a value, or nil if the value is unknown. Unknown elements of lists are null; other unknown parts are left
--- out.
---@param value hclexpr.Value
---@param reveal? boolean show marked parts, which otherwise are null
---@return any
function value_parts.known(value, reveal)
  local plain = value:unmark()
  if not plain:is_known() then return nil end
  if not reveal and value_parts.is_secret(value) then return null end
  local kind = kind_of(plain)
  if not kind or not core.marks_within(plain) and plain:is_wholly_known() then return plain end
  local made = listed[kind] and value_parts.list() or {}
  for key, element in plain:pairs() do
    local known = value_parts.known(element, reveal)
    if not listed[kind] then made[key] = known
    elseif known == nil then made[#made + 1] = null
    else made[#made + 1] = known end
  end
  return made
end

-- Returns the shape of a value: true for a part for which is(part) is true, a table for any other value with elements, otherwise nil.
-- open(kind) returns the shape of an unknown value. A part for which closed(part) is true isn't searched.
local function shape(value, is, open, closed)
  if is(value) then return true end
  if closed and closed(value) then return nil end
  local plain = value:unmark()
  if not plain:is_known() then return open(core.kind(plain)) end
  local kind = kind_of(plain)
  if not kind then return nil end
  local made = listed[kind] and value_parts.list() or {}
  for key, element in plain:pairs() do
    local inner = shape(element, is, open, closed)
    if listed[kind] then made[#made + 1] = inner or false else made[key] = inner end
  end
  return made
end

-- The outline of a value is the shape that it has if is(part) holds for no part. The type gives most of it, so few elements need to become
-- Values.

local types = setmetatable({}, { __mode = "v" })

local function type_tree(plain)
  local text = plain:type():json()
  types[text] = types[text] or { core.json_decode(text) }
  return types[text][1]
end

local outline

local function outline_of_elements(plain, inner, is_list)
  local made = is_list and value_parts.list() or {}
  if type(inner) == "table" then
    for key, element in plain:pairs() do
      local found = outline(element, inner)
      if is_list then made[#made + 1] = found or false else made[key] = found end
    end
  else
    for i = 1, is_list and #plain or 0 do made[i] = false end
  end
  return made
end

local function outline_of_parts(plain, inner, is_list)
  local made = is_list and value_parts.list() or {}
  for key, part in pairs(inner) do
    local found = type(part) == "table" and outline(plain:get(is_list and key - 1 or key), part)
    if is_list then made[key] = found or false else made[key] = found or nil end
  end
  return made
end

function outline(plain, json)
  if type(json) ~= "table" or plain:is_null() then return nil end
  local of = (json[1] == "tuple" or json[1] == "object") and outline_of_parts or outline_of_elements
  return of(plain, json[2], listed[json[1]])
end

-- Returns the outline of a value, or nil for a value without elements. (Making Types for all values took a third of the memory of a plan as
-- JSON, because a Type takes a kilobyte and most values are primitive.)
local function plain_outline(plain)
  return kind_of(plain) and outline(plain, type_tree(plain))
end

local function is_plain(value)
  return value:is_wholly_known() and not core.marks_within(value)
end

local function is_unknown(value) return not value:is_known() end
local function nothing() return nil end

-- Returns true if a value is unknown, or secret with unknown parts. The shape of a secret is secret, too.
local function is_hidden_unknown(value)
  return is_unknown(value) or value_parts.is_secret(value) and not typed_values.bare(value):is_wholly_known()
end

--- Returns which parts of a value are unknown; nil if all are known and the value doesn't have elements. A secret with unknown parts counts
--- as unknown itself, unless `reveal` is true.
---@param value hclexpr.Value
---@param reveal? boolean
---@return any
function value_parts.unknown(value, reveal)
  if is_plain(value) then return plain_outline(value) end
  if reveal then return shape(value, is_unknown, nothing) end
  return shape(value, is_hidden_unknown, nothing, value_parts.is_secret)
end

--- Returns true if an output's value is hidden: because its declaration is sensitive, or because something in the value has a mark, which
--- may be that of a possible secret.
---@param declared? hclexpr.module.Declaration
---@param value? hclexpr.Value
---@return boolean
function value_parts.hides(declared, value)
  return declared ~= nil and declared.sensitive or value ~= nil and core.marks_within(value) ~= nil
end

local function structure(kind)
  if listed[kind] then return value_parts.list() end
  return (kind == "map" or kind == "object") and {} or nil
end

--- Returns which parts of a value are sensitive; nil if none is and the value doesn't have elements.
---@param value hclexpr.Value
---@return any
function value_parts.sensitive(value)
  if is_plain(value) then return plain_outline(value) end
  return shape(value, value_parts.is_secret, structure)
end

--- Calls of(part, reveal) for each part of an object; returns the results by name.
---@param parts table<string, hclexpr.Value>
---@param of fun(value: hclexpr.Value, reveal?: boolean): any
---@param reveal? boolean
---@return table
function value_parts.object(parts, of, reveal)
  local made = {}
  for name, part in pairs(parts) do made[name] = of(part, reveal) end
  return made
end

--- Returns true if all parts are known.
---@param parts table<string, hclexpr.Value>
---@return boolean
function value_parts.all_known(parts)
  for _, part in pairs(parts) do
    if not part:is_wholly_known() then return false end
  end
  return true
end

--- Returns the parts of an object by name.
---@param value hclexpr.Value
---@return table<string, hclexpr.Value>
function value_parts.parts(value)
  local parts = {}
  for name, part in value:unmark():pairs() do parts[name] = part end
  return parts
end

return value_parts
