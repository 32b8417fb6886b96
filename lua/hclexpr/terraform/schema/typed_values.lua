-- Turns JSON data, in the form of schemas and states, into Values with types.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain

local typed_values = {}

-- Types: "string", { "list", "string" }, { "object", { a = "string" } }

local words = {
  string = certain(core.type "string"), number = certain(core.type "number"), bool = certain(core.type "bool"),
  dynamic = certain(core.type "any"),
}

--- Returns true if a kind of value doesn't have elements.
---@param kind string
---@return boolean
function typed_values.is_primitive(kind)
  return kind == "string" or kind == "number" or kind == "bool"
end

--- Returns the Type that JSON describes; malformed JSON becomes `any`.
---@param json any
---@return hclexpr.Type
function typed_values.type(json)
  if type(json) ~= "table" then return words[json] or words.dynamic end
  local kind, inner = json[1], json[2]
  if kind == "object" or kind == "tuple" then
    local parts, wanted = {}, kind == "tuple" and "number" or "string"
    for key, part in (kind == "tuple" and ipairs or pairs)(type(inner) == "table" and inner or {}) do
      if type(key) == wanted then parts[key] = typed_values.type(part) end
    end
    return core.type_of_parts(kind, parts)
  elseif kind == "list" or kind == "set" or kind == "map" then
    return core.type_of_parts(kind, { typed_values.type(inner) })
  end
  return words.dynamic
end

-- The deepest nesting that is followed, because a host's table may contain itself.
local DEEPEST = 100

local function is_in(_, part, depth) return typed_values.is_type(part, depth) end

-- Functions that check what follows the kind in a type.
local parts_are = {
  list = is_in, set = is_in, map = is_in,
  object = function(wanted, parts, depth)
    for name, part in pairs(type(parts) == "table" and parts or { false }) do
      if type(name) ~= wanted or not typed_values.is_type(part, depth) then return false end
    end
    return true
  end,
}
parts_are.tuple = parts_are.object

--- Returns true if data is a type in the form of JSON.
---@param json any
---@param depth? integer
---@return boolean
function typed_values.is_type(json, depth)
  depth = depth or 1
  if type(json) ~= "table" then return words[json] ~= nil end
  local are = depth < DEEPEST and parts_are[json[1]]
  return are and are(json[1] == "tuple" and "number" or "string", json[2], depth + 1) or false
end

local function all_fit(x, part, depth)
  for key, element in pairs(x) do
    if not typed_values.fits(element, part(key), depth) then return false end
  end
  return true
end

--- Returns true if a type has all the parts that data has. Only a conversion shows whether the parts have the right types.
---@param x any
---@param json any a type
---@param depth? integer
---@return boolean
function typed_values.fits(x, json, depth)
  depth = depth or 1
  if json == nil or x == nil then return false end
  if type(json) ~= "table" or x == core.null then return true end
  if type(x) ~= "table" or depth == DEEPEST then return false end
  local inner = json[2]
  if json[1] == "tuple" and #x ~= #inner then return false end
  local by_key = json[1] == "tuple" or json[1] == "object"
  return all_fit(x, function(key) if by_key then return inner[key] end return inner end, depth + 1)
end

-- Data

local shape

local function elements_of(x, part, wrapped)
  local made = setmetatable({}, core.array_mt)
  for i, element in ipairs(x) do made[i] = shape(element, part(i), wrapped) end
  return made
end

local function entries_of(x, part, wrapped)
  local made = {}
  for key, element in pairs(x) do made[key] = shape(element, part(key), wrapped) end
  return made
end

local function same(json)
  return function() return json end
end

local function each(json)
  return function(key) return type(json) == "table" and json[key] or "dynamic" end
end

local containers = {
  list = function(x, json, ...) return elements_of(x, same(json), ...) end,
  tuple = function(x, json, ...) return elements_of(x, each(json), ...) end,
  map = function(x, json, ...) return entries_of(x, same(json), ...) end,
  object = function(x, json, ...)
    local made = entries_of(x, each(json), ...)
    for name in pairs(type(json) == "table" and json or {}) do
      if made[name] == nil then made[name] = core.null end
    end
    return made
  end,
}
containers.set = containers.list

-- Copies data. An empty table may be a list or an object, so its form is taken from the type.
function shape(x, json, wrapped)
  if x == nil then return core.null end
  if type(x) ~= "table" then return x end
  local container = type(json) == "table" and containers[json[1]]
  if container then return container(x, json[2], wrapped) end
  -- In a state file a value of the type `any` contains its actual type.
  if wrapped and x.type ~= nil and next(x, next(x, next(x))) == nil then
    return core.value(shape(x.value, x.type), typed_values.type(x.type)) or core.null
  end
  if #x > 0 then return elements_of(x, same "dynamic", wrapped) end
  return next(x) ~= nil and entries_of(x, same "dynamic", wrapped) or x
end

local in_order = { list = true, tuple = true }

-- Marks the secret parts of a value. `secrets` is true, or a tree of paths into the value. A null may be secret, too. A set gets the marks
-- of its elements.
local function hidden(value, secrets)
  local kind = core.kind(value)
  if secrets == true or type(secrets) == "table" and kind == "set" and next(secrets) ~= nil then return value:mark "sensitive" end
  if type(secrets) ~= "table" or not value:is_known() or value:is_null() or typed_values.is_primitive(kind) then return value end
  local made = in_order[kind] and setmetatable({}, core.array_mt) or {}
  for key, element in value:pairs() do
    if in_order[kind] then key = key + 1 end
    made[key] = hidden(element, secrets[key])
  end
  return core.value(made, value:type()) or value
end

--- Makes a Value of a type from data; returns nil and Diagnostics if the data doesn't fit.
---@param x any
---@param json any the type
---@param of_type hclexpr.Type the type that `json` describes
---@param secrets? any the sensitive parts of the data: true, or a table of such parts by key
---@param wrapped? boolean the data is from a state file, where values of the type `any` contain their type
---@return hclexpr.Value?
---@return hclexpr.Diagnostics?
function typed_values.value(x, json, of_type, secrets, wrapped)
  local value, err = core.value(shape(x, json, wrapped), of_type)
  return value and secrets and hidden(value, secrets) or value, err
end

-- Marks

--- Returns a value with the mark that the row of its attribute requires, if any.
---@param value hclexpr.Value
---@param row table
---@return hclexpr.Value
function typed_values.mark(value, row)
  if row.sensitive then return value:mark "sensitive" end
  return row.guarded and value:mark "guarded" or value
end

--- Returns a copy of a value without marks on it or in it.
---@param value hclexpr.Value
---@return hclexpr.Value
function typed_values.bare(value)
  if not core.marks_within(value) then return value end
  return (assert(core.value(value:lua { sensitive = "reveal", big = "value", unknown = "value" }, value:unmark():type())))
end

--- Returns true if the same parts of two values are secret. The values must be equal except for their marks; without a schema the first may
--- lack parts.
---@param value hclexpr.Value
---@param before hclexpr.Value
---@return boolean
function typed_values.same_secrecy(value, before)
  if not (core.marks_within(value) or core.marks_within(before)) then return true end
  local secret = core.is_marked(value)
  if secret ~= core.is_marked(before) then return false end
  if secret then return true end
  local kind = core.kind(value)
  -- The marks of a set are on the whole set.
  if not value:is_known() or value:is_null() or kind == "set" or typed_values.is_primitive(kind) then return true end
  if not before:is_known() or before:is_null() then return true end
  for key, element in value:pairs() do
    local other = before:get(key)
    if other ~= nil and not typed_values.same_secrecy(element, other) then return false end
  end
  return true
end

--- Returns a copy of a value with the marks that another value has at the same places.
---@param value hclexpr.Value
---@param other hclexpr.Value
---@return hclexpr.Value
function typed_values.with_marks(value, other)
  if not core.marks_within(other) then return value end
  local marks, plain = other:marks(), other:unmark()
  local kind = core.kind(plain)
  if core.marks_within(plain) and plain:is_known() and not plain:is_null() and kind ~= "set" then
    local own = value:unmark()
    local listed, own_kind = kind == "list" or kind == "tuple", core.kind(own)
    local alike = not typed_values.is_primitive(own_kind) and own_kind ~= "set" and listed == (own_kind == "list" or own_kind == "tuple")
    if own:is_known() and not own:is_null() and alike then
      local made = {}
      for key, element in own:pairs() do
        local like = plain:get(key)
        made[listed and key + 1 or key] = like and typed_values.with_marks(element, like) or element
      end
      for _, mark in ipairs(value:marks()) do marks[#marks + 1] = mark end
      value = core.value(listed and setmetatable(made, core.array_mt) or made, own:type()) or value
    end
  end
  for _, mark in ipairs(marks) do value = value:mark(mark) end
  return value
end

-- Values of states

local listed = { list = true, set = true, tuple = true }

-- Returns a copy of untyped data in which empty objects become lists where the configuration has lists, sets or tuples.
local function with_lists(value, config)
  local wanted = config:unmark()
  if not wanted:is_known() or wanted:is_null() or not value:is_known() or value:is_null() then return value end
  local kind, of = core.kind(value), core.kind(wanted)
  if kind == "object" and listed[of] and #value == 0 then return core.value(setmetatable({}, core.array_mt)) end
  if of == "set" or not (kind == "object" or kind == "tuple") or (kind == "tuple") ~= (listed[of] or false) then return value end
  local made = kind == "tuple" and setmetatable({}, core.array_mt) or {}
  for key, element in value:pairs() do
    local like = wanted:get(key)
    made[kind == "tuple" and key + 1 or key] = like and with_lists(element, like) or element
  end
  return core.value(made)
end

-- Returns true if the primitive parts of two values have the same kinds. (JSON data has strings, numbers and booleans apart.)
local function alike(value, other)
  if not other or value:is_null() ~= other:is_null() then return false end
  local kind, of = core.kind(value), core.kind(other)
  if value:is_null() or of == "set" then return true end
  if typed_values.is_primitive(kind) or typed_values.is_primitive(of) then return kind == of end
  for key, element in value:pairs() do
    if not alike(element, other:get(key)) then return false end
  end
  return true
end

--- Converts a value of a state to the configuration's type; returns a value that doesn't fit unchanged. Needed because a state has values
--- of the type `any` without their types.
---@param prior hclexpr.Value
---@param config hclexpr.Value
---@param is_flat? boolean the state has only texts
---@return hclexpr.Value
function typed_values.like(prior, config, is_flat)
  local wanted = config:unmark()
  if core.kind(wanted) == "dynamic" or not prior:is_wholly_known() or wanted:is_null() ~= prior:is_null() then return prior end
  local data = with_lists(typed_values.bare(prior), wanted)
  local converted = wanted:type():convert(data)
  if converted == nil or not (is_flat or alike(data, converted)) then return prior end
  return typed_values.with_marks(converted, prior)
end

return typed_values
