-- A table in place of another file's, which is loaded when a field is first read: `local x = lazy "hclexpr.x"`, if most uses of a file
-- don't need x.
local on_demand = require "hclexpr.on_demand"

---@param name string
---@return any
return function(name)
  return setmetatable({}, {
    __index = function(self, key)
      local value = on_demand(name)[key]
      self[key] = value
      return value
    end,
  })
end
