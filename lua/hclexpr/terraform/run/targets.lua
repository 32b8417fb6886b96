-- Targets limit a plan to a part of a module: the nodes that the targets need, and some instances of resources.
local dependencies = require "hclexpr.terraform.read.dependencies"

---@class hclexpr.Targets
---@field addresses hclexpr.module.Target[] as given
---@field list hclexpr.module.Node[] the nodes that are evaluated
---@field nodes table<hclexpr.module.Node, true> the same nodes as a set
---@field named table<hclexpr.module.Node, true> resources that are targets themselves; other resources are planned with all instances
local Targets = {}
Targets.__index = Targets

-- Adds a node and everything that it needs.
local function add(self, graph, first)
  local stack = { first }
  while #stack > 0 do
    local node = table.remove(stack)
    if not self.nodes[node] then
      self.nodes[node], self.list[#self.list + 1] = true, node
      for _, needed in ipairs(graph:needs(node)) do stack[#stack + 1] = needed end
    end
  end
end

local function is_below(config, top)
  while config do
    if config == top then return true end
    config = config.parent
  end
  return false
end

-- Returns true if a node needs resources, and all of them are in `found`.
local function is_covered(graph, found, first)
  local stack, seen, any = { first }, {}, false
  while #stack > 0 do
    local node = table.remove(stack)
    if not seen[node] then
      if node.kind == "resource" then
        if not found[node] then return false end
        any = true
      end
      seen[node] = true
      for _, needed in ipairs(graph:needs(node)) do stack[#stack + 1] = needed end
    end
  end
  return any
end

local function add_target(self, graph, root, target)
  local config = root
  for _, name in ipairs(target.path) do config = config and config.children[name] end
  if not config then return end
  local function name(node)
    self.named[node] = true
    add(self, graph, node)
  end
  local node = target.address and graph:node(config, target.address)
  if node and node.kind == "resource" then name(node) end
  for _, one in ipairs(target.kind == "module" and dependencies.modules(config) or {}) do
    for _, inner in ipairs(is_below(one, config) and graph:inner_nodes(one) or {}) do
      if inner.kind == "resource" then name(inner) end
    end
  end
end

--- Finds the part of a module that targets choose. Reference: an output of the root belongs to it if the output needs resources and all of
--- these belong to it.
---@param module hclexpr.Module
---@param addresses hclexpr.module.Target[]
---@return hclexpr.Targets
function Targets.new(module, addresses)
  local graph = module.evaluation.graph
  local self = setmetatable({ addresses = addresses, list = {}, nodes = {}, named = {} }, Targets)
  for _, target in ipairs(addresses) do add_target(self, graph, module.root, target) end
  for _, node in ipairs(graph:all()) do
    if node.config == module.root and node.kind == "output" and is_covered(graph, self.nodes, node) then add(self, graph, node) end
  end
  return self
end

-- Returns true if a path of modules is within that of a target. Reference: if the last module of an address lacks a key, all its instances
-- are meant; if another one does, the instance without a key is meant.
local function holds_steps(target, steps)
  local wanted = target.steps
  if #steps < #wanted or target.address and #steps > #wanted then return false end
  for i, step in ipairs(wanted) do
    local open = target.kind == "module" and i == #wanted and step.key == false
    if steps[i].name ~= step.name or not open and steps[i].key ~= step.key then return false end
  end
  return true
end

--- Returns true if an instance of a resource, or a module around it, is a target itself.
---@param steps { name: string, key: integer|string|false }[] of its module
---@param address string of the resource in its module
---@param key integer|string|false
---@return boolean
function Targets:names(steps, address, key)
  for _, target in ipairs(self.addresses) do
    local same = holds_steps(target, steps)
    if same and target.address then same = target.address == address and (target.instance == false or target.instance == key) end
    if same then return true end
  end
  return false
end

--- Returns true if an instance of a resource belongs to the plan.
---@param node? hclexpr.module.Node of the resource; nil if it isn't declared
---@param steps { name: string, key: integer|string|false }[] of its module
---@param address string of the resource in its module
---@param key integer|string|false
---@param gone? boolean the instance of its module no longer exists. Reference: then any target in its resource counts
---@return boolean
function Targets:hold(node, steps, address, key, gone)
  if not node or self.named[node] and not gone then return self:names(steps, address, key) end
  return self.nodes[node] == true
end

return Targets
