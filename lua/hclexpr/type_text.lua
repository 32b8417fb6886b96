-- The type of a value as messages show it.
local core = require "hclexpr.core"

--- Names of attributes may be secrets of what is marked: then they are left out.
---@param value hclexpr.Value
---@return string
return function(value)
  local text = tostring(value:type())
  return core.marks_within(value) and (text:gsub("object%b()", "object({…})")) or text
end
