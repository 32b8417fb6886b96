-- Definition: the declaration of the name at a position. Each kind of syntax node has a function in `rows`.
local folders = require "hclexpr.editor.folders"
local names = require "hclexpr.editor.names"
local paths = require "hclexpr.editor.paths"
local cursor = require "hclexpr.editor.cursor"

local definition = {}

local rows = {}

-- Returns the origin of the step at the cursor or, if it has none, of the nearest step before it that has one: an unknown part of a
-- declared value leads to the value's declaration.
local function of_reference(here)
  local of, _, index, resolved = here:referred()
  local i = index
  while not (of and of.origin) and resolved and i and i > 1 do
    i = i - 1
    of = resolved.shapes[i]
  end
  return of and of.origin
end

rows.step, rows.traversal, rows.relative = of_reference, of_reference, of_reference

-- An argument of a module call leads to the module's variable; other arguments are their own declarations.
function rows.attribute_name(here)
  local row = cursor.argument_row(here:layers(), here.node.text)
  if row and row.variable then return names.origin(row.variable) end
  local attribute = here.attribute
  if not attribute or here.document.kind == "tfvars" then return nil end
  for _, d in ipairs(folders.declared(here.document)) do
    if d.attribute == attribute then return names.origin(d) end
  end
  local range, name = attribute.range, attribute.name_range
  return { document = here.document, path = here.document.path, start = range.start.byte, stop = range.stop.byte,
           name_start = name.start.byte, name_stop = name.stop.byte, argument = attribute }
end

local function of_head(here)
  local block = here.blocks[#here.blocks]
  for _, d in ipairs(folders.declared(here.document)) do
    if d.block == block and not d.attribute then return names.origin(d) end
  end
end

rows.type, rows.label, rows.block = of_head, of_head, of_head

function rows.name(here)
  local node = here.node
  return { document = here.document, path = here.document.path, start = node.start, stop = node.stop, name_start = node.start,
    name_stop = node.stop }
end

-- Returns the key of an object as its own origin.
local function of_key(here, key)
  local quoted = here.document.text:byte(key.start + 1) == 34 and 1 or 0
  return { document = here.document, path = here.document.path, start = key.start, stop = key.stop, name_start = key.start + quoted,
           name_stop = key.stop - quoted }
end

-- The source of a module call leads to main.tf of the module, or to its first file.
function rows.string(here)
  local node, block = here.node, here.blocks[1]
  if here.folder.vocabulary or not (here.attribute_node and here.attribute_node.name == "source" and block and block.type == "module"
    and #here.blocks == 1) then return nil end
  local child = here.folder:child(block)
  local first = child and child.documents[1]
  for _, document in ipairs(child and child.documents or {}) do
    if document.name == "main.tf" then first = document end
  end
  return first and node and { document = first, path = first.path, start = 0, stop = 0, name_start = 0, name_stop = 0 }
end

--- Returns the origin of the name at a position; nil if the name has no declaration.
---@param here? hclexpr.service.Here
---@return hclexpr.service.Origin?
function definition.origin(here)
  local key = here and here:key()
  if key then return of_key(here, key) end
  local row = here and rows[here.node.kind]
  return row and row(here)
end

function definition.definition(workspace, document, byte)
  local here = cursor.at(workspace, document, byte)
  local origin = definition.origin(here)
  local path = here and not origin and paths.file_at(here)
  if path then return { { path = path, start = 0, stop = 0, name_start = 0, name_stop = 0 } } end
  if not origin then return {} end
  return { { path = origin.path, start = origin.start, stop = origin.stop, name_start = origin.name_start, name_stop = origin.name_stop } }
end

return definition
