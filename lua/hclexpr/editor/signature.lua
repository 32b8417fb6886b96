-- Signatures of functions, and the argument that is being written.
local infer = require "hclexpr.editor.infer"
local cursor = require "hclexpr.editor.cursor"

local signature = {}

-- Writes a parameter's name, and its type if it is known.
local function typed(param) return param.type and param.name .. " " .. param.type or param.name end

local function parts_of(row)
  local parts = {}
  for _, param in ipairs(row.params or {}) do parts[#parts + 1] = { typed(param), param } end
  if row.variadic then parts[#parts + 1] = { "…" .. typed(row.variadic), row.variadic } end
  return parts
end

--- Writes a function's name, parameters and result; also returns the position of each parameter in that text.
---@param row table
---@return string label
---@return { start: integer, stop: integer, documentation?: string }[]
function signature.label(row)
  local label, places = row.name .. "(", {}
  for i, part in ipairs(parts_of(row)) do
    if i > 1 then label = label .. ", " end
    places[i] = { start = #label, stop = #label + #part[1], documentation = part[2].description }
    label = label .. part[1]
  end
  return label .. ")" .. (row.returns and " " .. row.returns or ""), places
end

-- Returns the innermost call whose arguments contain a node, or nil.
local function call_around(node)
  while node do
    if node.kind == "call" and node.argument then return node end
    node = node.parent
  end
end

function signature.signature(workspace, document, byte)
  local here = cursor.at(workspace, document, byte)
  local node = here and call_around(here.node)
  if not (here and node and node.name) then return nil end
  local row = infer.function_row(here, node.name)
  if not row then return nil end
  local label, places = signature.label(row)
  local active = #places > 0 and math.min(node.argument, #places) or nil
  if node.argument > #places and not row.variadic then active = nil end
  return { label = label, documentation = row.summary ~= "" and row.summary or row.description or "", parameters = places, active = active }
end

return signature
