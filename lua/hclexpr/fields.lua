-- Fields of objects: an unknown name raises, because nil would look like a value.
local check = require "hclexpr.check"
local lazy = require "hclexpr.lazy"

local fields = {}

-- Is a name rejected if it is missing? Names that begin with "_" aren't: libraries ask for them to find out what kind of object they have.
local function is_asked(key, numbers)
  if type(key) == "string" then return key:sub(1, 1) ~= "_" end
  return numbers and type(key) == "number"
end

--- Raises an error at the code that reads a missing field: the caller of the __index that calls this. names: the fields that aren't
--- methods. numbers: whether numbers as keys are rejected as well. Names that libraries ask for are ignored.
---@param kind string
---@param methods table<string, function>
---@param names string[]
---@param key any
---@param numbers boolean
function fields.missing(kind, methods, names, key, numbers)
  if not is_asked(key, numbers) then return end
  check.raise(3, lazy.load("hclexpr.advice").of_field(kind, methods, names, key))
end

--- The methods of a class, by name.
---@param class table
---@return table<string, function>
function fields.methods_of(class)
  local methods = {}
  for key, value in pairs(class) do methods[key] = value end
  return methods
end

--- Makes objects of a class, whose methods all exist by now, raise for other names. Does nothing if the module was loaded before in the
--- same state.
---@param class table
---@param kind string
---@param numbers boolean
function fields.guard(class, kind, numbers)
  if class.methods then return end
  class.methods = fields.methods_of(class)
  class.__index = setmetatable(class.methods, { __index = function(methods, key) fields.missing(kind, methods, {}, key, numbers) end })
end

--- Makes objects of a class read-only.
---@param class table
---@param kind string
function fields.seal(class, kind)
  class.__newindex = function(_, key)
    check.raise(2, string.format("attempt to set field '%s' of a read-only %s", tostring(key), kind))
  end
end

--- Makes the objects of a class load the module that defines their fields as soon as one is read.
---@param class table
---@param module string which sets __index and __newindex
function fields.load_later(class, module)
  if class.methods then return end
  function class.__index(self, key)
    lazy.load(module)
    return class.__index(self, key)
  end
  function class.__newindex(self, key)
    lazy.load(module)
    return class.__newindex(self, key)
  end
end

return fields
