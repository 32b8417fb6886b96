-- Finds variables, local values and data sources that aren't used in their module.
local core = require "hclexpr.core"
local folders = require "hclexpr.editor.folders"

local unused = {}

-- Returns the beginnings of all references in a document, as a set: { ["var.a"] = true }.
local function mentioned(document)
  local found = rawget(document, "mentioned_here")
  if found then return found end
  found = {}
  document.mentioned_here = found
  for _, traversal in ipairs(document.body and core.traversals(document.body) or {}) do
    local steps = traversal.steps
    local first, second, third = steps[1], steps[2], steps[3]
    local key = first.text
    if second then found[key .. "." .. second.text] = true end
    if second and third then found[key .. "." .. second.text .. "." .. third.text] = true end
    -- A computed index may mean any name.
    if not second or second.kind ~= "attr" then found[key .. ".*"] = true end
  end
  return found
end

local looked_at = { variable = "var.*", ["local"] = "local.*", data = "data.*" }

--- Returns the variables, local values and data sources of a document that nothing in the folder mentions. The result is empty if a file of
--- the folder is broken, because its references aren't known.
---@param folder hclexpr.service.Folder
---@param document hclexpr.service.Document
---@return hclexpr.service.Declaration[]
function unused.find(folder, document)
  local found = {}
  if folder.alone or document.kind ~= "terraform" then return found end
  for _, other in ipairs(folder.documents) do
    if other.parsed.err then return found end
  end
  for _, d in ipairs(folders.declared(document)) do
    local all = looked_at[d.word]
    local used = not all
    for _, other in ipairs(used and {} or folder.documents) do
      local names = mentioned(other)
      used = used or names[d.address] or names[all]
    end
    used = used or folder:is_in_json(d.address) or folder:is_in_json(all:sub(1, -3) .. "[")
    if not used then found[#found + 1] = d end
  end
  return found
end

return unused
