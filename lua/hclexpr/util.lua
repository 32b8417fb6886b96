-- Small helpers that all parts of the Lua module share: tables, texts, names of types.
local core = require "hclexpr.core"

local util = {}

--- Returns the keys of a table in order, for lists and reports.
---@generic K
---@param t table<K, any>
---@return K[]
function util.sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- Returns a copy of a list, which may be changed. (A loop, because unpack has another name in 5.1, and takes no long list there.)
---@generic T
---@param list T[]
---@return T[]
function util.copied(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

--- Returns a text as it is, if it has at most `most` bytes; otherwise its beginning, up to a whole character, and "…".
---@param text string
---@param most integer
---@param kept? integer the bytes to keep of a longer text, if less than `most`
---@return string
function util.shorten(text, most, kept)
  if #text <= most then return text end
  local cut = kept or most
  while cut > 0 and text:find("^[\128-\191]", cut + 1) do cut = cut - 1 end
  return text:sub(1, cut) .. "…"
end

--- Returns the type of a value as messages show it. The attribute names of a marked value may be secrets, so they are left out.
---@param value hclexpr.Value
---@return string
function util.type_text(value)
  local text = tostring(value:type())
  return core.marks_within(value) and (text:gsub("object%b()", "object({…})")) or text
end

return util
