-- A table that stands for that of another file, which is loaded when something in it is first asked for: `local x = lazy "hclexpr.x"`, where
-- most uses of a file don't come to x.
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
