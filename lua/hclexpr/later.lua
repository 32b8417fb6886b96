-- A table that stands for that of another file, which is loaded when something in it is first asked for: `local x = later "hclexpr.x"`, where
-- most uses of a file don't come to x.
local late = require "hclexpr.late"

---@param name string
---@return any
return function(name)
  return setmetatable({}, {
    __index = function(self, key)
      local value = late(name)[key]
      self[key] = value
      return value
    end,
  })
end
