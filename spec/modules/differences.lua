-- Differences of two plans as JSON.
local core = require "hclexpr.core"
local differences = {}

-- Lists that have no order.
local UNORDERED = { references = true, relevant_attributes = true, depends_on = true, child_modules = true }

function differences.text_of(x)
  return (core.value_json(core.value(x), 0, 0))
end

--- A copy of a tree in which unordered lists are sorted.
function differences.normal(x, name)
  if type(x) ~= "table" or x == core.null then return x end
  local made = setmetatable({}, getmetatable(x))
  for key, element in pairs(x) do made[key] = differences.normal(element, key) end
  if UNORDERED[name] then table.sort(made, function(a, b) return differences.text_of(a) < differences.text_of(b) end) end
  return made
end

--- The places at which two trees differ, as texts.
function differences.list(a, b, path, found)
  path, found = path or "", found or {}
  local text_of = differences.text_of
  if type(a) ~= "table" or type(b) ~= "table" or a == core.null or b == core.null then
    if core.value(a) ~= core.value(b) then found[#found + 1] = ("%s: %s but %s"):format(path, text_of(a), text_of(b)) end
    return found
  end
  for key, element in pairs(a) do
    if b[key] == nil then found[#found + 1] = ("%s.%s: %s but nothing"):format(path, key, text_of(element))
    else differences.list(element, b[key], path .. "." .. key, found) end
  end
  for key, element in pairs(b) do
    if a[key] == nil then found[#found + 1] = ("%s.%s: nothing but %s"):format(path, key, text_of(element)) end
  end
  return found
end

return differences
