-- Helpers for all rooms.
local core = require "hclexpr.core"

local util = {}

--- The keys of a table in order, for lists and reports.
---@generic K
---@param t table<K, any>
---@return K[]
function util.sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- A list once more, to be changed. (unpack is elsewhere in 5.1, and takes no long list there.)
---@generic T
---@param list T[]
---@return T[]
function util.copied(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

--- A text of at most so many bytes, or its beginning, which ends with a whole character, and "…".
---@param text string
---@param most integer
---@param kept? integer what is kept of a longer one, if less than `most`
---@return string
function util.shorten(text, most, kept)
  if #text <= most then return text end
  local cut = kept or most
  while cut > 0 and text:find("^[\128-\191]", cut + 1) do cut = cut - 1 end
  return text:sub(1, cut) .. "…"
end

--- The type of a value as messages show it. Names of attributes of a marked value may be secrets: then they are left out.
---@param value hclexpr.Value
---@return string
function util.type_text(value)
  local text = tostring(value:type())
  return core.marks_within(value) and (text:gsub("object%b()", "object({…})")) or text
end

return util
