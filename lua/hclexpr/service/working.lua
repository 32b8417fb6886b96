-- Working: what takes longer than a key may. The modules of folders are opened, told what changed, and validated; in between, other questions
-- have their turn.
local core = require "hclexpr.core"
local folders = require "hclexpr.service.folders"
local hcl = require "hclexpr"
local late = require "hclexpr.late"

local working = {}

---@class hclexpr.service.Work what is known of a folder by evaluating it
---@field module? hclexpr.Module
---@field stamps table<string, integer> of the texts that it knows, by path
---@field found? hclexpr.Diagnostics
---@field done? integer the workspace's stamp that was validated

local function works_of(workspace)
  local works = rawget(workspace, "works")
  if not works then
    works = {}
    workspace.works = works
  end
  return works
end

local function options_of(workspace, dir)
  local documents = workspace.documents
  local options = { scope = hcl.scope { limits = { steps = 20e6 } }, schemas = (late("hclexpr.service.schemas").document(workspace, dir)) }
  for name, value in pairs(workspace.options.module or {}) do options[name] = value end
  options.read = function(path)
    local known = documents.by_path[path]
    return known and known.text or nil
  end
  return options
end

local function stamps_of(workspace, dir)
  local stamps = {}
  for _, list in ipairs { workspace.documents:module(dir), workspace.documents:values(dir) } do
    for _, document in ipairs(list) do stamps[document.path] = document.stamp end
  end
  return stamps
end

-- The paths whose texts differ from those that a module knows; nil: the files themselves are others.
local function changed_paths(old, new)
  local changed = {}
  for path, stamp in pairs(new) do
    if old[path] == nil then return nil end
    if old[path] ~= stamp then changed[#changed + 1] = path end
  end
  for path in pairs(old) do
    if new[path] == nil then return nil end
  end
  return changed
end

local function open(workspace, dir, work)
  local fine, module, err, readable = pcall(hcl.module, dir == "" and "." or dir, options_of(workspace, dir))
  if not fine then return end
  work.module, work.broken = module or readable, err
end

-- Brings a module up to the texts that the editor has.
local function refresh(workspace, dir, work)
  local stamps = stamps_of(workspace, dir)
  local changed = work.module and changed_paths(work.stamps, stamps)
  work.stamps = stamps
  if not changed then return open(workspace, dir, work) end
  for _, path in ipairs(changed) do
    local document = workspace.documents.by_path[path]
    local fine = pcall(work.module.change, work.module, path, document and document.text)
    if not fine then return open(workspace, dir, work) end
  end
end

local function work_of(workspace, dir)
  local works = works_of(workspace)
  works[dir] = works[dir] or { stamps = {} }
  return works[dir]
end

--- The module that has the values of a document: of a folder that calls its module, else of its own folder. nil: none could be opened.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.Module?
function working.module(workspace, document)
  if document.kind ~= "terraform" then return nil end
  local dir = document.dir
  local work = work_of(workspace, dir)
  if work.asked ~= workspace.documents.stamp then
    refresh(workspace, dir, work)
    work.asked = workspace.documents.stamp
  end
  return work.module
end

local function validate(workspace, dir, work)
  refresh(workspace, dir, work)
  work.asked = workspace.documents.stamp
  local module = work.module
  if not module then return end
  local fine, _, err = pcall(module.validate, module)
  work.found = fine and err or work.broken
end

-- Folders of Terraform with open files whose diagnostics aren't those of the texts now.
local function next_folder(workspace)
  for _, dir in ipairs(workspace.documents:open_folders()) do
    local work = work_of(workspace, dir)
    if work.done ~= workspace.documents.stamp and folders.at(workspace, dir).documents[1] then return dir, work end
  end
end

function working.pending(workspace) return next_folder(workspace) ~= nil end

function working.work(workspace)
  local dir, work = next_folder(workspace)
  if not dir then return nil end
  validate(workspace, dir, work)
  work.done = workspace.documents.stamp
  local paths = {}
  for path, document in pairs(workspace.documents.by_path) do
    if document and document.open and document.dir == dir then paths[#paths + 1] = path end
  end
  table.sort(paths)
  return paths
end

--- What validating a document's folder found; nil: it has not been validated yet.
---@param workspace hclexpr.service.Workspace
---@param document hclexpr.service.Document
---@return hclexpr.Diagnostics?
function working.found(workspace, document)
  local work = works_of(workspace)[document.dir]
  return work and work.found, work and work.done == workspace.documents.stamp
end

working.core = core

return working
