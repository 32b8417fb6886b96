-- The type of a value as messages show it.
local core = require "hclexpr.core"

--- Names of attributes of a marked value may be secrets: then they are left out.
---@param value hclexpr.Value
---@return string
return function(value)
  local text = tostring(value:type())
  return core.marks_within(value) and (text:gsub("object%b()", "object({…})")) or text
end
