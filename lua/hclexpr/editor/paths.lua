-- Paths of files within calls such as file("${path.module}/notes.txt"): the folder in which a text begins, its contents, and the file that
-- it names. They are read as written; a path that is computed differently isn't known.
local core = require "hclexpr.core"
local Documents = require "hclexpr.editor.documents"
local hcl = require "hclexpr"

local paths = {}

-- The most calls from the module up to the folder where Terraform runs, which is that of the module that no other calls.
local DEEPEST = 8

local function root_dir(folder)
  for _ = 1, folder.alone and 0 or DEEPEST do
    local call = folder:callers()[1]
    if not call or call.folder.dir == folder.dir then break end
    folder = call.folder
  end
  return folder.dir
end

local starts = { module = function(folder) return folder.dir end, root = root_dir, cwd = root_dir }

-- Returns the whole path that a text in quotes names; nil: the path is computed in a way that isn't known.
local function whole(folder, source)
  local word, rest = source:match "^%${%s*path%.(%l+)%s*}(.*)$"
  local text = rest or source
  if text:find '[\\"]' or text:find "[$%%]{" or word and not starts[word] then return nil end
  if text:find "^/" and not word then return text end
  local home = text:find "^~/" and os.getenv "HOME"
  if home then return Documents.join(home, text:sub(3)) end
  return Documents.join((starts[word or "root"])(folder), (text:gsub("^/+", "")))
end

-- Does a function read the file that its first argument names?
local function reads(name)
  local row = name and hcl.functions((name:gsub("^core::", "")))
  return row ~= nil and row.capability == "filesystem"
end

--- The text in quotes around a place that names a file, or nil.
---@param node table a place
---@return table?
function paths.text_at(node)
  while node and (node.kind == "text" or node.role == "part") do node = node.parent end
  local call = node and node.parent
  local quoted = node and (node.kind == "string" or node.kind == "template")
  return quoted and call.kind == "call" and node.index == 1 and reads(call.name) and node or nil
end

-- Makes the scope that limits which files may be looked at: those below the folders of the workspace and below that of the module. An
-- editor that opens a pipe or a device elsewhere would wait for ever.
local function scope_of(folder)
  local granted = { root_dir(folder), folder.dir }
  for root in pairs(folder.workspace.documents.roots) do granted[#granted + 1] = root end
  for i, dir in ipairs(granted) do granted[i] = dir == "" and "." or dir end
  local scope = hcl.scope {}
  core.grant_folders(scope, granted)
  return scope
end

--- Returns the path of the file that a text in quotes names; nil: the path isn't known.
---@param folder hclexpr.service.Folder
---@param source string with its quotes
---@return string?
function paths.named(folder, source)
  local inside = source:match '^"(.*)"$'
  local path = inside and whole(folder, inside)
  return path and core.clean_path(path)
end

--- The file that is named at a place; nil: none is, or it doesn't exist.
---@param here hclexpr.service.Here
---@return string?
function paths.file_at(here)
  local node = paths.text_at(here.node)
  local path = node and paths.named(here.folder, here.document.text:sub(node.start + 1, node.stop))
  return path and core.has_file(scope_of(here.folder), path) and path or nil
end

-- The most names of a folder that are offered.
local MOST = 500

--- The contents of the folder to which the text before a place leads: names, folders with a slash, and the part of the text they replace.
---@param here hclexpr.service.Here
---@param node table of text_at
---@return string[] names
---@return integer start
---@return integer stop
function paths.names_at(here, node)
  local text = here.document.text
  local typed = text:sub(node.start + 2, here.byte)
  local before, begun = typed:match "^(.*/)([^/]*)$"
  before, begun = before or "", begun or typed
  local dir, found = whole(here.folder, before), {}
  local names = dir and not begun:find "[$%%]{" and core.list_folder(scope_of(here.folder), dir == "" and "." or dir) or {}
  for _, name in ipairs(names) do
    local shown = not name:find '[\\"$%%]' and (not name:find "^%." or begun:find "^%.")
    if shown and #found < MOST then found[#found + 1] = name end
  end
  return found, here.byte - #begun, text:match('^[^"/$\n]*()', here.byte + 1) - 1
end

return paths
