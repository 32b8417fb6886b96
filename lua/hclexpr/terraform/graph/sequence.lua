-- Orders a whole tree of modules, finding the order of each folder once: the folder's steps, each after those that it needs. A module call
-- and everything inside it are one piece. So a folder with a hundred calls is ordered once, for both walks of a plan. (Ordering 2,100 nodes
-- one by one takes a third of the time of a plan.)
--
-- This works only if each call can be one piece. If modules use single outputs of each other, order.lua must order the nodes.
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"
local needs = require "hclexpr.terraform.graph.needs"
local order = require "hclexpr.order"
local providers = require "hclexpr.terraform.tree.providers"

local sequence = {}

---@class hclexpr.module.Sequence
---@field steps hclexpr.module.Step[] in order; everything inside a call follows its opening
---@field inputs hclexpr.module.Step[] the steps that differ between calls of the folder, even if nothing is known
---@field children table<string, hclexpr.module.Folder> the folders that it calls, by the names of the calls

-- Providers

-- Returns the references to provider configurations in a folder, each once.
local function provider_references(folder)
  local list = folder.cache.provider_references
  if list then return list end
  local seen = {}
  list = {}
  for _, declared in ipairs { folder.resources, folder.actions } do
    for _, declaration in pairs(declared) do
      local reference = naming.provider_reference(declaration)
      local key = reference.name .. "." .. (reference.alias or "")
      if not seen[key] then seen[key], list[#list + 1] = true, reference end
    end
  end
  folder.cache.provider_references = list
  return list
end

-- Calls found(home, declaration, call) for each provider configuration that the resources of a module use. `home` declares the
-- configuration; `call` is the call in it that leads to the module, or false.
local function each_provider(config, found)
  for _, reference in ipairs(provider_references(config.folder)) do
    local home, source, alias = providers.home(config, reference)
    local declaration = home and providers.own(home.folder, source, alias)
    if home and declaration then
      local at, call = config, false
      while at ~= home do at, call = at.parent, at.name end
      found(home, declaration, call)
    end
  end
end

--- Returns the calls that use each provider configuration, by folder and address. The key false means resources and actions of the folder
--- itself.
---@param root hclexpr.module.Config
---@return table<hclexpr.module.Folder, table<string, table<string|false, true>>>
local function provider_users(root)
  local used = {}
  for _, config in ipairs(dependencies.modules(root)) do
    each_provider(config, function(home, declaration, call)
      local of_folder = used[home.folder] or {}
      used[home.folder] = of_folder
      of_folder[declaration.address] = of_folder[declaration.address] or {}
      of_folder[declaration.address][call] = true
    end)
  end
  return used
end

-- A folder by itself

local View = {}
View.__index = View

-- Returns the node of a key in the folder, or false if the key isn't declared. For the closing of a call, and for anything inside the
-- called module, returns the node of the call.
function View:node(config, key)
  if config ~= self.config then key = config.call.address end
  local step = dependencies.step(self.folder, key)
  if not step then return false end
  if step.kind == "close" then key = step.declaration.address end
  local known = self.nodes[key]
  -- A call that needs something inside itself can't be one piece.
  self.torn = self.torn or known ~= nil and known == self.calling
  if known then return known end
  if step.kind == "close" then step = dependencies.step(self.folder, key) end
  self.count = self.count + 1
  known = { key = key, kind = step.kind, config = config, declaration = step.declaration, number = self.count, step = step }
  self.nodes[key] = known
  return known
end

function View:needs(node)
  local list = {}
  self.calling = node.kind == "call" and node or nil
  needs.add(self, list, node)
  if not self.calling then return list end
  for _, attribute in pairs(self.config.arguments[node.declaration.name]) do
    needs.add_all(self, list, self.config, dependencies.of(attribute.expression))
  end
  for address, users in pairs(self.used) do
    if users[node.declaration.name] then list[#list + 1] = self:node(self.config, address) end
  end
  self.calling = nil
  return list
end

-- Makes a view of a Config's folder that needs.lua can use as graph and Config.
local function view_of(config, used)
  local folder = config.folder
  local children, arguments = {}, {}
  for name, child in pairs(config.children) do
    children[name] = { folder = { absent = child.folder.absent }, call = child.call }
    arguments[name] = child.arguments
  end
  return setmetatable({ folder = folder, used = used or {}, nodes = {}, count = 0, torn = false,
                        config = { folder = folder, children = children, arguments = arguments, address = "" } }, View)
end

-- Steps that depend on the call even if nothing is known. All other steps are the same in all modules of a folder (Walk.twins).
local input_kinds = { variable = true, validation = true, call = true, provider = true }

-- Returns the sequence of a Config's folder, or false if a call in it has no Config or can't be one piece, or if a step needs itself.
local function sequence_of(config, used)
  local view = view_of(config, used)
  local roots, made = {}, { steps = {}, inputs = {}, children = {} }
  for _, step in ipairs(dependencies.steps(config.folder).list) do
    local is_idle = step.kind == "provider" and not view.used[step.key]
    if step.kind == "call" and not config.children[step.declaration.name] then return false end
    if not is_idle and step.kind ~= "close" then roots[#roots + 1] = view:node(view.config, step.key) end
  end
  order.each(view, roots, function() return view.torn end, function(node)
    made.steps[#made.steps + 1] = node.step
    if input_kinds[node.kind] then made.inputs[#made.inputs + 1] = node.step end
  end, function() view.torn = true end)
  for name, child in pairs(config.children) do made.children[name] = child.folder end
  return not view.torn and made
end

-- Returns true if a Config calls the folders that its folder's sequence assumes. This may differ, because the source of a call may depend
-- on arguments.
local function fits(made, config)
  for name, child in pairs(config.children) do
    if made.children[name] ~= child.folder then return false end
  end
  return true
end

--- Returns the sequences of all folders in a tree, or false if the nodes can't be ordered folder by folder, for example because resources
--- may wait for imports in modules around theirs.
---@param root hclexpr.module.Config
---@return table<hclexpr.module.Folder, hclexpr.module.Sequence>|false
function sequence.of(root)
  local all, used = {}, provider_users(root)
  for _, config in ipairs(dependencies.modules(root)) do
    local folder = config.folder
    if dependencies.may_import(config) then return false end
    if all[folder] == nil then all[folder] = sequence_of(config, used[folder]) end
    if not all[folder] or not fits(all[folder], config) then return false end
  end
  return all
end

return sequence
