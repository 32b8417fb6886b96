-- Paths of files in calls such as file("${path.module}/notes.txt"): the folder that a text leads to, its contents, and the file that the
-- text names. Only constant texts after `path.module`, `path.root` or `path.cwd` are understood.
local core = require "hclexpr.core"
local Documents = require "hclexpr.editor.documents"
local hcl = require "hclexpr"

local paths = {}

-- The longest chain of callers to follow to the root module, because Terraform runs in its folder.
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

-- Returns the whole path that a quoted text means; nil if it can't be determined.
local function whole(folder, source)
  local word, rest = source:match "^%${%s*path%.(%l+)%s*}(.*)$"
  local text = rest or source
  if text:find '[\\"]' or text:find "[$%%]{" or word and not starts[word] then return nil end
  if text:find "^/" and not word then return text end
  local home = text:find "^~/" and os.getenv "HOME"
  if home then return Documents.join(home, text:sub(3)) end
  return Documents.join((starts[word or "root"])(folder), (text:gsub("^/+", "")))
end

-- Returns true if the first argument of a function is the path of a file that it reads, or, for `fileset`, of a folder.
local function reads(name)
  local row = name and hcl.functions((name:gsub("^core::", "")))
  return row ~= nil and row.capability == "filesystem"
end

--- Returns the node of the quoted text around a node, if the text is the path of a file that a function reads, or of a folder that
--- `fileset` reads; otherwise nil.
---@param node table a node of body:at
---@return table?
function paths.text_at(node)
  while node and (node.kind == "text" or node.role == "part") do node = node.parent end
  local call = node and node.parent
  local quoted = node and (node.kind == "string" or node.kind == "template")
  return quoted and call.kind == "call" and node.index == 1 and reads(call.name) and node or nil
end

-- Makes the scope that limits which files may be looked up: only those below folders of the workspace, the module and the root module. An
-- editor that opened a pipe or device elsewhere could wait forever.
local function scope_of(folder)
  local granted = { root_dir(folder), folder.dir }
  for root in pairs(folder.workspace.documents.roots) do granted[#granted + 1] = root end
  for i, dir in ipairs(granted) do granted[i] = dir == "" and "." or dir end
  local scope = hcl.scope {}
  core.grant_folders(scope, granted)
  return scope
end

--- Returns the path of the file that a quoted text names; nil if it can't be determined.
---@param folder hclexpr.service.Folder
---@param source string the text with its quotes
---@return string?
function paths.named(folder, source)
  local inside = source:match '^"(.*)"$'
  local path = inside and whole(folder, inside)
  return path and core.clean_path(path)
end

--- Returns the path of the file that is named at the cursor; nil if there isn't one.
---@param here hclexpr.service.Here
---@return string?
function paths.file_at(here)
  local node = paths.text_at(here.node)
  local path = node and paths.named(here.folder, here.document.text:sub(node.start + 1, node.stop))
  return path and core.has_file(scope_of(here.folder), path) and path or nil
end

-- The largest number of names to offer.
local MOST = 500

--- Lists the contents of the folder that the text before the cursor leads to. Returns names, which end in a slash for folders, and the span
--- that a name replaces.
---@param here hclexpr.service.Here
---@param node table a node from text_at
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
