-- Small helpers that all parts of the Lua code share.
local core = require "hclexpr.core"

local util = {}

--- Returns the sorted keys of a table.
---@generic K
---@param t table<K, any>
---@return K[]
function util.sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- Returns a copy of a list. (It uses a loop because Lua 5.1 has no table.unpack, and its unpack fails for long lists.)
---@generic T
---@param list T[]
---@return T[]
function util.copied(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

--- Returns a text of at most `most` bytes as it is. Cuts a longer text between characters and adds "…".
---@param text string
---@param most integer
---@param kept? integer the number of bytes to keep of a longer text; default `most`
---@return string
function util.shorten(text, most, kept)
  if #text <= most then return text end
  local cut = kept or most
  while cut > 0 and text:find("^[\128-\191]", cut + 1) do cut = cut - 1 end
  return text:sub(1, cut) .. "…"
end

--- Returns the type of a value for messages. A marked value's attribute names are left out, because they may be secret.
---@param value hclexpr.Value
---@return string
function util.type_text(value)
  local text = tostring(value:type())
  return core.marks_within(value) and (text:gsub("object%b()", "object({…})")) or text
end

return util
