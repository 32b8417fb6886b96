-- Inlays: values behind expressions that aren't written out: of locals, outputs, arguments of modules and resources.
local values = require "hclexpr.service.values"

local inlays = {}

-- Longer ones hide the text around them.
local LONGEST, MOST = 60, 200

local shown = { locals = true, output = true, module = true, resource = true, data = true }
local meta = { source = true, version = true, providers = true, depends_on = true, provider = true, for_each = true, description = true }

local function is_plain(expression)
  return #expression:references() == 0 and #expression:functions() == 0
end

local function add(found, workspace, document, block, name, attribute)
  local expression = attribute.expression
  if meta[name] or is_plain(expression) then return end
  local range = expression:range()
  local source = block.type == "locals" and "local." .. name or expression:source()
  local value = values.value(workspace, document, range.start.byte, source)
  local text = value and values.text(value)
  if not text then return end
  local short = text
  if #short > LONGEST then
    local cut = LONGEST
    while cut > 1 and short:byte(cut + 1) >= 128 and short:byte(cut + 1) < 192 do cut = cut - 1 end
    short = short:sub(1, cut) .. "…"
  end
  found[#found + 1] = { at = range.stop.byte, text = "= " .. short, tooltip = short ~= text and "`" .. text .. "`" or nil }
end

local function by_place(a, b) return a.at < b.at end

function inlays.inlays(workspace, document, start, stop)
  local found = {}
  if document.kind ~= "terraform" or not document.body then return found end
  start, stop = start or 0, stop or #document.text
  for _, block in ipairs(document.body.blocks) do
    local range = block.range
    if shown[block.type] and range.start.byte < stop and range.stop.byte > start then
      for name, attribute in pairs(block.body.attributes) do
        local place = attribute.range
        if #found < MOST and place.start.byte < stop and place.stop.byte > start and (block.type ~= "output" or name == "value") then
          add(found, workspace, document, block, name, attribute)
        end
      end
    end
  end
  table.sort(found, by_place)
  return found
end

return inlays
