-- Rename: gives a declaration another name, in all files that use it.
local core = require "hclexpr.core"
local definition = require "hclexpr.editor.definition"
local folders = require "hclexpr.editor.folders"
local cursor = require "hclexpr.editor.cursor"
local references = require "hclexpr.editor.references"

local rename = {}

-- Returns the origin of the name at a position if it can be renamed: a declaration, or a name that a `for` or an iterator defines. The
-- third result is then the cursor. For any other name, returns nil and the reason.
local function target_at(workspace, document, byte)
  local here = cursor.at(workspace, document, byte)
  local origin = definition.origin(here)
  if not (here and origin) then return nil, "Nothing that is declared here has a name at this place." end
  local d = origin.declaration
  if d and (d.word == "provider" or d.word == "action") then return nil, "Names of providers come from required_providers." end
  local label = d and (d.label or d.label == nil and (d.mode and 2 or 1))
  if d and (here.node.kind == "type" or here.node.kind == "block" or not label
    or here.node.kind == "label" and here.node.index ~= label) then
    return nil, "This word is the language's, or the provider's. Rename the last label."
  end
  if d then return origin, nil, here end
  if here.node.kind == "name" then return origin, nil, here end
  local of = (here.node.kind == "step" or here.node.steps) and not here:key() and here:referred()
  if of and of.info.loop then return origin, nil, here end
  return nil, "Only what is declared, and names of loops, can be renamed."
end

-- Returns the span of the name at the cursor.
local function written_at(here, origin)
  local node = here.node
  if node.kind == "step" then
    local start = node.start
    local text = here.document.text
    while start < node.stop and text:sub(start + 1, start + 1):find "[%.%s%[\"]" do start = start + 1 end
    return start, start + #node.text
  end
  if here.document.path == origin.path and origin.name_start <= here.byte and here.byte <= origin.name_stop then return origin.name_start,
    origin.name_stop end
  if node.kind == "label" and node.quoted then return node.start + 1, node.stop - 1 end
  return node.start, node.stop
end

function rename.rename_at(workspace, document, byte)
  local origin, why, here = target_at(workspace, document, byte)
  if not origin then return nil, why end
  local start, stop = written_at(here, origin)
  local name = origin.document.text:sub(origin.name_start + 1, origin.name_stop)
  if document.text:sub(start + 1, stop) ~= name then return nil, "This place names it by another name." end
  return { start = start, stop = stop, name = name }
end

local function is_taken(workspace, origin, name)
  local d = origin.declaration
  if not d then return false end
  local folder = folders.of(workspace, origin.document)
  local outer = d.address:match '^(.*)%[".-"%]$' or d.address:match "^(.*)%."
  return folder:find(outer and outer .. "." .. name or name) ~= nil
end

-- Returns the other declarations with the same address, which a declaration replaces.
local function replaced(workspace, origin)
  local found, own = {}, origin.declaration
  if not (own and own.replaces) then return found end
  for _, d in ipairs(folders.of(workspace, origin.document):all()) do
    if d ~= own and d.address == own.address then found[#found + 1] = d end
  end
  return found
end

local function by_place(a, b) return a.start < b.start end

-- Returns how often a text contains a word.
local function times(text, word)
  return select(2, text:gsub("%f[%w_-]" .. word:gsub("%p", "%%%0") .. "%f[^%w_-]", ""))
end

-- Returns the names of files with syntax errors that contain the old name more often than it is changed, in this folder and in folders that
-- call its module. In the broken parts it is unknown what the name means.
local function left_out(workspace, origin, old, edits)
  local list, seen = {}, {}
  local function look(folder)
    if seen[folder.dir] then return end
    seen[folder.dir] = true
    for _, document in ipairs(folder:texts()) do
      local changed = edits[document.path]
      if document.parsed.err and times(document.text, old) > #(changed or {}) then list[#list + 1] = document.name end
    end
  end
  local folder = folders.of(workspace, origin.document)
  if not origin.declaration then return list end
  look(folder)
  for _, caller in ipairs(folder:callers()) do look(caller.folder) end
  table.sort(list)
  return list
end

function rename.rename(workspace, document, byte, name)
  local origin, why = target_at(workspace, document, byte)
  if not origin then return nil, why end
  if not core.name_columns(name) then return nil,
    ("%q is not a name: begin with a letter or _; letters, digits, _ and - may follow."):format(name) end
  local old = origin.document.text:sub(origin.name_start + 1, origin.name_stop)
  if name == old then return {} end
  if is_taken(workspace, origin, name) then return nil, ("There is one of the name %q already."):format(name) end
  local edits = {}
  local function add(path, start, stop)
    edits[path] = edits[path] or {}
    table.insert(edits[path], { start = start, stop = stop, text = name })
  end
  local uses, unsure = references.uses(workspace, origin)
  if unsure then return nil, ("%s names it in a way that can't be renamed: rename it there by hand first."):format(unsure) end
  add(origin.path, origin.name_start, origin.name_stop)
  for _, d in ipairs(replaced(workspace, origin)) do add(d.document.path, d.name_start, d.name_stop) end
  for _, use in ipairs(uses) do
    if use.document.text:sub(use.name_start + 1, use.name_stop) == old then add(use.document.path, use.name_start, use.name_stop) end
  end
  for _, list in pairs(edits) do table.sort(list, by_place) end
  local left = left_out(workspace, origin, old, edits)
  return edits, left[1] and ("The name may be left in %s, where the syntax is wrong."):format(table.concat(left, ", ")) or nil
end

return rename
