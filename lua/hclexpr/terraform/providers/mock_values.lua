-- Makes the values of a mock for attributes that its provider would compute: completes given values by the schema, and generates the
-- others.
local core = require "hclexpr.core"
local typed_values = require "hclexpr.terraform.schema.typed_values"

local mock_values = {}

local letters = "abcdefghijklmnopqrstuvwxyz0123456789"

local function text_of(length, from)
  local out = {}
  for i = 1, length do
    local at = math.random(#from)
    out[i] = from:sub(at, at)
  end
  return table.concat(out)
end

--- Makes an id like those of terraform_data.
---@return string
function mock_values.uuid()
  local hex = "0123456789abcdef"
  return ("%s-%s-4%s-%s%s-%s"):format(text_of(8, hex), text_of(4, hex), text_of(3, hex), text_of(1, "89ab"), text_of(3, hex),
    text_of(12, hex))
end

local generate

local kinds = {
  list = function() return setmetatable({}, core.array_mt) end,
  set = function() return setmetatable({}, core.array_mt) end,
  map = function() return {} end,
  object = function(inner, fill, path)
    local made = {}
    for name, json in pairs(type(inner) == "table" and inner or {}) do made[name] = generate(json, fill, path .. "." .. name) end
    return made
  end,
  tuple = function(inner, fill, path)
    local made = setmetatable({}, core.array_mt)
    for i, json in ipairs(type(inner) == "table" and inner or {}) do made[i] = generate(json, fill, ("%s[%d]"):format(path, i - 1)) end
    return made
  end,
}

-- Generates data for a type in its JSON form, as schemas write it: "string", ["list", "number"]. Adds the paths of strings to
-- fill.root.texts, because strings are random.
function generate(json, fill, path)
  if json == "string" then
    table.insert(fill.root.texts, path)
    return text_of(8, letters)
  end
  if json == "number" then return 0 end
  if json == "bool" then return false end
  local kind = type(json) == "table" and kinds[json[1]]
  return kind and kind(json[2], fill, path) or core.null
end

--- Returns true if a value is an object; a map isn't one.
---@param value hclexpr.Value
---@return boolean
function mock_values.is_object(value)
  return core.kind(value) == "object"
end

-- Returns a copy of a given value in which objects have all attributes of their type; the missing ones are generated.
local function complete(value, json, fill, path)
  local plain = value:unmark()
  if type(json) ~= "table" or not plain:is_known() or plain:is_null() then return value end
  local kind, inner = core.kind(plain), json[2]
  local keyed = kind == "object" or kind == "map"
  if json[1] == "object" then
    if not keyed then return value end
    local made = {}
    for name, part in pairs(inner) do
      local given, at = plain:get(name), path .. "." .. name
      if given then made[name] = complete(given, part, fill, at) else made[name] = generate(part, fill, at) end
    end
    return core.value(made) or value
  end
  if json[1] == "tuple" or typed_values.is_primitive(kind) then return value end
  local made = keyed and {} or setmetatable({}, core.array_mt)
  for key, element in plain:pairs() do made[keyed and key or #made + 1] = complete(element, inner, fill, path .. "[]") end
  return core.value(made) or value
end

---@class hclexpr.provider.Fill gives the values of computed attributes that the configuration doesn't set
---@field given? hclexpr.Value an object
---@field nothing boolean nothing is filled in, because the object is updated
---@field root hclexpr.provider.Fill
---@field texts string[] the paths of generated texts
---@field path string the path of the block to which it belongs, with a dot at the end
---@field faults string[] mistakes in the given values
local Fill = {}
Fill.__index = Fill

---@param given? hclexpr.Value
---@param nothing? boolean
---@return hclexpr.provider.Fill
function mock_values.fill(given, nothing)
  local fill = setmetatable({ given = given, nothing = nothing or false, texts = {}, faults = {}, path = "" }, Fill)
  fill.root = fill
  return fill
end

local is_object = mock_values.is_object

-- Returns the value that the mock gives for a name. For blocks, or attributes with nested attributes, a mock gives one object that all of
-- them use. Any other value is reported when a value is needed from it.
function Fill:part(name)
  local given = self.given
  if given and not is_object(given) then
    self:fault(self.path:sub(1, -2), ("This must be an object for all of them, not %s."):format(core.kind(given)))
    self.given = nil
  end
  return self.given and self.given:unmark():get(name)
end

function Fill:fault(path, detail)
  table.insert(self.root.faults, ("%s: %s"):format(path, detail))
end

local fitting

-- Makes a given object fit an attribute with nested attributes. Reference: a list, set or map of nested attributes also accepts an object,
-- and stays empty.
local function fitting_object(given, wanted, fill, path)
  if not is_object(given) then
    return fill:fault(path, ("This must be an object, not %s: Terraform accepts nothing else for nested attributes, and leaves a list, "
      .. "set or map of them empty."):format(core.kind(given)))
  end
  local made = {}
  if wanted.nesting == "single" or wanted.nesting == "group" then
    for name, inner in pairs(wanted.inner.attributes) do
      local part, at = given:unmark():get(name), path .. "." .. name
      made[name] = part and fitting(part, inner, fill, at) or generate(inner.json, fill, at)
    end
  end
  local is_listed = wanted.nesting == "list" or wanted.nesting == "set"
  return (core.value(is_listed and setmetatable(made, core.array_mt) or made, wanted.type))
end

-- Converts and completes the value given for an attribute; returns nil after noting a fault if the value doesn't fit the attribute.
function fitting(given, wanted, fill, path)
  if wanted.inner then return fitting_object(given, wanted, fill, path) end
  local value, err = wanted.type:convert(complete(given, wanted.json, fill, path))
  if value == nil then fill:fault(path, err[1].detail) end
  return value
end

-- Returns the value of an attribute: the given one or a generated one, or null if nothing is filled in.
function Fill:value(name, wanted)
  if self.nothing then return core.value(core.null, wanted.type) end
  local given, path = self:part(name), self.path .. name
  local value = given and fitting(given, wanted, self, path)
  return value or (core.value(generate(wanted.json, self, path), wanted.type))
end

-- Returns the Fill for a block or an attribute with nested attributes. All blocks or elements of that name share it.
function Fill:within(name)
  local inner = mock_values.fill(self:part(name), self.nothing)
  inner.root, inner.path = self.root, self.path .. name .. "."
  return inner
end

-- Adds the given values to the written arguments of a resource without a schema. All other attributes are unknown.
function Fill:add(values)
  if self.nothing or not self.given then return end
  for name, value in self.given:unmark():pairs() do
    if values[name] == nil or values[name]:is_null() then values[name] = value end
  end
end

return mock_values
