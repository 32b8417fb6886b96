-- Shapes: known facts about a value without evaluation: its kind, its attributes and elements, and where each of them is declared. They
-- come from types, schemas and expressions. Attributes and elements are computed on first use.
--
--   kind        "string", "number", "bool", "null", "list", "set", "map", "tuple", "object"; "any" if the kind is unknown
--   origin      where the value is declared: a Target with its document; nil: no position can be shown
--   info        for readers: `description`, `required`, `optional`, `computed`, `sensitive`, `deprecated`, `declaration`
local core = require "hclexpr.core"

---@class hclexpr.service.Shape
---@field kind string
---@field origin? hclexpr.service.Origin
---@field info table
---@field order? string[] names of the attributes, in order
---@field attributes? table<string, hclexpr.service.Shape|fun(): hclexpr.service.Shape?>
---@field element? hclexpr.service.Shape|fun(): hclexpr.service.Shape?
---@field items? table<integer, hclexpr.service.Shape|fun(): hclexpr.service.Shape?> elements by index, from 0
---@field find? fun(name: string): hclexpr.service.Shape? returns attributes that aren't in `attributes`
---@field list? fun(): string[] returns the names of attributes, for a shape without `order`
---@field brief? fun(name: string): hclexpr.service.Shape? returns a shape with only kind and info, for long lists of attributes
local Shape = {}
Shape.__index = Shape

---@class hclexpr.service.Origin: hclexpr.service.Target
---@field document hclexpr.service.Document

local shape = {}

---@param kind string
---@param more? table
---@return hclexpr.service.Shape
function shape.new(kind, more)
  local made = more or {}
  made.kind = kind
  made.info = made.info or {}
  return setmetatable(made, Shape)
end

shape.any = shape.new "any"

local function forced(list, key)
  local value = list[key]
  if type(value) == "function" then
    list[key] = shape.any -- the value while it is being computed, because a name may refer to itself
    value = value() or shape.any
    list[key] = value
  end
  return value
end

local function element_of(self)
  if type(self.element) == "function" then
    local make = self.element
    self.element = shape.any
    self.element = make() or shape.any
  end
  return self.element
end

--- Returns the attribute with a name, or the element with a key; nil if it isn't known.
---@param key string|integer
---@return hclexpr.service.Shape?
function Shape:get(key)
  if type(key) == "string" then
    return self.attributes and forced(self.attributes, key) or self.find and self.find(key) or self.kind ~= "object" and
      self.kind ~= "tuple" and self.kind ~= "list" and self.kind ~= "set" and element_of(self) or nil
  end
  if self.items and self.items[key] then return forced(self.items, key) end
  key = tostring(key)
  return element_of(self) or self.attributes and forced(self.attributes, key) or self.find and self.find(key) or nil
end

--- Returns a shape for showing an attribute in a list: its kind and info are enough.
---@param name string
---@return hclexpr.service.Shape?
function Shape:glance(name)
  return self.brief and self.brief(name) or self:get(name)
end

--- Returns the shapes of the value and the key that a loop over this shape gets for each element.
---@return hclexpr.service.Shape value
---@return hclexpr.service.Shape key
function Shape:each()
  local by_name = self.kind == "object" or self.kind == "map" or self.kind == "set"
  local key = by_name and shape.new "string" or self.kind == "any" and shape.any or shape.new "number"
  local value = element_of(self) or self.items and self.items[0] and forced(self.items, 0)
  local first = self.order and self.order[1]
  if not value and first then value = forced(self.attributes, first) end
  if self.kind == "set" then key = value end
  return value or shape.any, key or shape.any
end

--- Returns the names of the attributes.
---@return string[]
function Shape:names()
  local names = {}
  for i, name in ipairs(self.order or self.list and self.list() or {}) do names[i] = name end
  return names
end

--- Returns a copy with another origin, or with other info.
---@param more table
---@return hclexpr.service.Shape
function Shape:with(more)
  local made = {}
  for key, value in pairs(self) do made[key] = value end
  for key, value in pairs(more) do made[key] = value end
  return setmetatable(made, Shape)
end

--- Makes the shape of a collection of elements.
---@param kind "list"|"map"|"set"
---@param element hclexpr.service.Shape|fun(): hclexpr.service.Shape
---@param more? table
---@return hclexpr.service.Shape
function shape.collection(kind, element, more)
  more = more or {}
  more.element = element
  return shape.new(kind, more)
end

--- Combines the shape of an expression with that of a type or schema. Kinds come from the type; parts without a type, and the origins of
--- written parts, come from the expression.
---@param typed hclexpr.service.Shape
---@param written? hclexpr.service.Shape
---@return hclexpr.service.Shape
function shape.refined(typed, written)
  if not written or written == shape.any then return typed end
  if typed.kind == "any" then return written:with { info = next(typed.info) and typed.info or written.info, origin = typed.origin
    or written.origin } end
  local made = typed:with { origin = typed.origin or written.origin }
  if written.items then
    made.items = {}
    for i in pairs(written.items) do
      made.items[i] = function() return shape.refined(typed:get(i) or shape.any, written:get(i)) end
    end
  end
  if written.attributes and (typed.kind == "map" or typed.kind == "object") then
    made.attributes, made.order = {}, {}
    for _, list in ipairs { typed:names(), written:names() } do
      for _, name in ipairs(list) do
        if not made.attributes[name] and (typed.kind == "map" or typed:get(name)) then
          made.order[#made.order + 1] = name
          made.attributes[name] = function()
            local inner, of = typed:get(name) or shape.any, written:get(name)
            local both = shape.refined(inner, of)
            return of and of.origin and both:with { origin = of.origin } or both
          end
        end
      end
    end
  end
  return made
end

-- Types

local word = { string = "string", number = "number", bool = "bool" }
local containers = { list = true, set = true, map = true }

--- Makes the shape of a type in its JSON form, such as "string" or { "list", "string" }.
---@param json any
---@param more? table
---@return hclexpr.service.Shape
function shape.of_json(json, more)
  if type(json) ~= "table" then return shape.new(word[json] or "any", more) end
  local kind, inner = json[1], json[2]
  if containers[kind] then return shape.collection(kind, shape.of_json(inner), more) end
  local made = shape.new(kind == "object" and "object" or kind == "tuple" and "tuple" or "any", more)
  if kind == "object" and type(inner) == "table" then
    made.attributes, made.order = {}, {}
    for name, part in pairs(inner) do
      made.attributes[name] = function() return shape.of_json(part, { origin = made.origin }) end
      made.order[#made.order + 1] = name
    end
    table.sort(made.order)
  elseif kind == "tuple" and type(inner) == "table" then
    made.items = {}
    for i, part in ipairs(inner) do made.items[i - 1] = function() return shape.of_json(part, { origin = made.origin }) end end
  end
  return made
end

--- Makes the shape of a Type.
---@param constraint hclexpr.Type
---@param more? table
---@return hclexpr.service.Shape
function shape.of_type(constraint, more)
  return shape.of_json(core.json_decode(constraint:json()), more)
end

-- Values

--- Makes the shape of a Value from its known parts.
---@param value hclexpr.Value
---@param more? table
---@return hclexpr.service.Shape
function shape.of_value(value, more)
  local plain = value:unmark()
  local kind = core.kind(plain)
  -- Keys of a marked value may be secret.
  if value:marks()[1] and (kind == "object" or kind == "map") then return shape.new("any", more) end
  if not plain:is_known() or plain:is_null() or not (containers[kind] or kind == "object" or kind == "tuple") then
    return shape.of_type(plain:type(), more)
  end
  local made = shape.new(kind, more)
  if kind == "object" or kind == "map" then
    made.attributes, made.order = {}, {}
    for key, element in plain:pairs() do
      made.attributes[key] = function() return shape.of_value(element) end
      made.order[#made.order + 1] = key --[[@as string]]
    end
  else
    made.items = {}
    local i = 0
    for _, element in plain:pairs() do
      made.items[i] = function() return shape.of_value(element) end
      i = i + 1
    end
  end
  if containers[kind] then
    local typed = shape.of_type(plain:type())
    made.element = typed.element
  end
  return made
end

-- Texts

local DEEPEST, WIDEST = 3, 12

local function describe(self, depth)
  local kind = self.kind
  if kind == "any" or word[kind] or kind == "null" then return kind end
  if depth >= DEEPEST then return kind == "object" and "object({…})" or kind == "tuple" and "tuple([…])" or kind .. "(…)" end
  if containers[kind] then
    local element = element_of(self) or self:each()
    return kind .. "(" .. describe(element, depth + 1) .. ")"
  end
  local parts = {}
  if kind == "tuple" then
    local i = 0
    while self.items and self.items[i] and i < WIDEST do
      parts[#parts + 1] = describe(self:get(i), depth + 1)
      i = i + 1
    end
    return "tuple([" .. table.concat(parts, ", ") .. (self.items and self.items[i] and ", …" or "") .. "])"
  end
  local names = self:names()
  for i = 1, math.min(#names, WIDEST) do parts[i] = names[i] .. " = " .. describe(self:get(names[i]) or shape.any, depth + 1) end
  return "object({" .. (#parts > 0 and " " or "") .. table.concat(parts, ", ") .. (#names > WIDEST and ", …" or "") .. (#parts > 0
    and " " or "") .. "})"
end

--- Describes the type as HCL writes types.
---@return string
function Shape:describe() return describe(self, 0) end

--- Describes the type in a word or two, for lists of candidates.
---@return string
function Shape:short()
  if containers[self.kind] then
    local element = element_of(self) or shape.any
    return self.kind .. "(" .. (containers[element.kind] and element.kind .. "(…)" or element.kind) .. ")"
  end
  return self.kind
end

return shape
