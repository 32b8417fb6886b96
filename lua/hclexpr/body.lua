-- Bodies: hcl.parse, and what Body, Attribute and Block show. All three are read-only; their fields are made when first asked for.
local core = require "hclexpr.core"
local check = require "hclexpr.check"

---@class hclexpr.Attribute
---@field name string
---@field expression hclexpr.Expression
---@field range hclexpr.Range
---@field name_range hclexpr.Range
local Attribute = core.classes.Attribute

---@class hclexpr.Block
---@field type string
---@field labels string[]
---@field body hclexpr.Body
---@field range hclexpr.Range from the type to the closing brace
---@field type_range hclexpr.Range
---@field label_ranges hclexpr.Range[]
---@field open_brace_range hclexpr.Range
---@field close_brace_range hclexpr.Range
local Block = core.classes.Block

---@class hclexpr.Body
---@field attributes table<string, hclexpr.Attribute>
---@field blocks hclexpr.Block[]
---@field references fun(self: hclexpr.Body): hclexpr.Reference[]
---@field range fun(self: hclexpr.Body): hclexpr.Range
local Body = core.classes.Body

-- Fields by object, made once: none of them refers back to its object.
local fields_of = setmetatable({}, { __mode = "k" })

local function read_only(self, key)
  error(string.format("attempt to set field '%s' of a %s, which is read-only", tostring(key), self), 2)
end

-- Makes objects of a class show methods and the fields that make(self) gives.
local function show(class, name, make)
  local methods = {}
  for key, value in pairs(class) do methods[key] = value end
  class.__index = function(self, key)
    local method = methods[key]
    if method ~= nil then return method end
    local fields = fields_of[self]
    if not fields then
      fields = make(self)
      fields_of[self] = fields
    end
    return fields[key]
  end
  class.__newindex = read_only
  class.__tostring = function() return name end
  class.methods = methods
  return methods
end

-- The module may be loaded twice in one state: a class that is shown already has its methods set aside.
local function methods_of(class, name, make)
  return class.methods or show(class, name, make)
end

methods_of(Body, "Body", function(self)
  local attributes, blocks = core.body_items(self)
  local by_name = {}
  for i = 1, #attributes do by_name[core.attribute_name(attributes[i])] = attributes[i] end
  return { attributes = by_name, blocks = blocks }
end)

methods_of(Block, "Block", core.block_fields)

local attribute = methods_of(Attribute, "Attribute", core.attribute_fields)

--- The attribute's exact value.
---@param variables? table
---@param scope? hclexpr.Scope
---@return hclexpr.Value?, hclexpr.Diagnostics?
function attribute:value(variables, scope)
  return self.expression:value(variables, scope)
end

--- The attribute's Lua value.
---@param variables? table
---@param scope? hclexpr.Scope
---@return any, hclexpr.Diagnostics?
function attribute:eval(variables, scope)
  return self.expression:eval(variables, scope)
end

local parse_options = { filename = "string", syntax = "string", limits = "table", line = "number", column = "number" }

--- Reads a source of attributes and blocks.
---@param source string
---@param options? { filename?: string, syntax?: "native", line?: integer, column?: integer, limits?: hclexpr.Limits }
---@return hclexpr.Body? body
---@return hclexpr.Diagnostics? err
---@return hclexpr.Body? partial what could still be read
local function parse(source, options)
  check.type(1, "parse", source, "string")
  local o = check.options(2, "parse", options, parse_options)
  if o.syntax ~= nil and o.syntax ~= "native" then check.fail(2, "parse", "option 'syntax' must be \"native\"") end
  return core.parse(source, o.filename, o.line, o.column, o.limits)
end

return { parse = parse }
