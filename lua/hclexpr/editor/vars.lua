-- Finds the files of variables that apply to the module of a folder, in addition to those that Terraform reads by itself.
local core = require "hclexpr.core"
local folders = require "hclexpr.editor.folders"
local Documents = require "hclexpr.editor.documents"

local vars = {}

local function listed(given)
  return type(given) == "table" and given or { given }
end

-- Returns the possible paths of a file: a relative path begins at the folder, or at a folder of the workspace.
local function places_of(workspace, dir, name)
  if name:find "^/" or name:find "^%a:[/\\]" then return { name } end
  local roots = {}
  for root in pairs(workspace.documents.roots) do roots[#roots + 1] = Documents.join(root, name) end
  table.sort(roots)
  if dir then table.insert(roots, 1, Documents.join(dir, name)) end
  return roots
end

--- Returns the path of a file that a setting names; nil if the file doesn't exist.
---@param workspace hclexpr.service.Workspace
---@param dir? string
---@param name string
---@return string?
function vars.find(workspace, dir, name)
  for _, path in ipairs(places_of(workspace, dir, name)) do
    path = core.clean_path(path)
    if workspace.documents:get(path) then return path end
  end
end

-- Returns true if a file of variables applies to the module of a folder. It applies to the module in the file's own folder, or else to the
-- nearest module up to three folders above. If there isn't one, it applies to each module that no other module calls.
local function is_for(workspace, dir, path)
  local home = folders.of_values(workspace, (Documents.split(path)))
  if home.documents[1] then return home.dir == dir end
  return not folders.at(workspace, dir):callers()[1]
end

--- Returns the files that apply to the module of a folder, in order: later ones win.
---@param workspace hclexpr.service.Workspace
---@param dir string
---@return string[] paths
function vars.files(workspace, dir)
  local found = {}
  for _, name in ipairs(listed(workspace.options.vars)) do
    local path = vars.find(workspace, dir, name)
    if path and is_for(workspace, dir, path) then found[#found + 1] = path end
  end
  return found
end

--- Returns the files of a setting that exist neither in the folders of the workspace nor in folders with open files.
---@param workspace hclexpr.service.Workspace
---@param option "vars"|"functions"
---@return string[] names the names as given in the setting
function vars.missing(workspace, option)
  local missing, dirs = {}, workspace.documents:open_folders()
  for _, name in ipairs(listed(workspace.options[option])) do
    local found = vars.find(workspace, nil, name)
    for _, dir in ipairs(dirs) do found = found or vars.find(workspace, dir, name) end
    if not found then missing[#missing + 1] = name end
  end
  return missing
end

return vars
