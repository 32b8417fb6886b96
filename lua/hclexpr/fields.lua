-- Fields of objects. Reading an unknown field raises an error, because nil would look like a value.
local check = require "hclexpr.check"
local lazy = require "hclexpr.lazy"

local fields = {}

-- Returns true if a missing field of this name is an error. A missing name that begins with "_" isn't, because
-- libraries read such names to find out what kind of object they have.
local function is_asked(key, numbers)
  if type(key) == "string" then return key:sub(1, 1) ~= "_" end
  return numbers and type(key) == "number"
end

--- Raises an error at the code that reads a missing field, which is the caller of the __index that calls this function. `names` lists the
--- fields that aren't methods. With `numbers`, numbers as keys are errors too. Names that begin with "_" are ignored.
---@param kind string
---@param methods table<string, function>
---@param names string[]
---@param key any
---@param numbers boolean
function fields.missing(kind, methods, names, key, numbers)
  if not is_asked(key, numbers) then return end
  check.raise(3, lazy.load("hclexpr.advice").of_field(kind, methods, names, key))
end

--- Returns a copy of a class's methods, by name.
---@param class table
---@return table<string, function>
function fields.methods_of(class)
  local methods = {}
  for key, value in pairs(class) do methods[key] = value end
  return methods
end

--- Makes objects of a class raise errors for unknown names. All methods of the class must exist by now. Does nothing if the module was
--- loaded before in the same state.
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

--- Makes the objects of a class load the module that defines their fields when a field is first read or set.
---@param class table
---@param module string sets __index and __newindex of the class
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
