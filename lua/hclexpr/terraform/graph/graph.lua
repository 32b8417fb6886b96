-- The graph of a module: its nodes and what each needs. Nodes and needs are made on first use, so that a question about one local value of
-- a large folder touches only what that value needs.
--
-- A module call has two nodes. Its opening, which knows the instances, comes before everything in the module; its closing comes after
-- everything in the module, and is what a reference to `module.m` as a whole needs. A single output needs only what gives the output its
-- value, so modules may use outputs of each other.
--
-- A folder with a hundred calls has a hundred sets of nodes. What these share is computed once: the steps of the folder (nodes without a
-- Config), and the wants of an expression (needs without a Config).
local lazy = require "hclexpr.lazy"
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"
local needs = require "hclexpr.terraform.graph.needs"
local sequence = lazy "hclexpr.terraform.graph.sequence"

local none = {}

---@class hclexpr.module.Graph
---@field root hclexpr.module.Config
---@field count integer the number of nodes made so far
---@field nodes table<hclexpr.module.Config, table<string, hclexpr.module.Node|false>> by key
---@field in_order? table<hclexpr.module.Folder, hclexpr.module.Sequence>|false
local Graph = {}
Graph.__index = Graph

---@param root hclexpr.module.Config
---@param breathe? fun() called now and then, so that the host may do other work
---@return hclexpr.module.Graph
function Graph.new(root, breathe)
  return setmetatable({ root = root, breathe = breathe or function() end, count = 0, nodes = {} }, Graph)
end

-- Nodes

local function new_node(graph, config, key)
  local step = dependencies.step(config.folder, key)
  -- A module that couldn't be read doesn't have anything to close.
  if not step or step.kind == "close" and not config.children[step.declaration.name] then return false end
  graph.breathe()
  graph.count = graph.count + 1
  return { key = key, kind = step.kind, config = config, declaration = step.declaration, number = graph.count }
end

--- Returns the node of a key in a Config. A key is the address of a declaration, perhaps followed by a step: "var.a (validation)",
--- "module.m (close)". Returns false if the key isn't declared.
---@param config hclexpr.module.Config
---@param key string
---@return hclexpr.module.Node|false
function Graph:node(config, key)
  local nodes = self.nodes[config]
  if not nodes then
    nodes = {}
    self.nodes[config] = nodes
  end
  local node = nodes[key]
  if node == nil then
    node = new_node(self, config, key)
    nodes[key] = node
  end
  return node
end

--- Returns the name of a node: "module.a.var.x", "var.x (validation)".
---@param node hclexpr.module.Node
---@return string
function Graph.id(node)
  return naming.within(node.config.address, node.key)
end

-- Needs

--- Returns the nodes that a node needs, each once.
---@param node hclexpr.module.Node
---@return hclexpr.module.Node[]
function Graph:needs(node)
  if node.needs then return node.needs end
  self.breathe()
  local list = {}
  needs.add(self, list, node)
  node.needs = list
  return list
end

--- Returns the nodes that an expression or a body refers to.
---@param object hclexpr.Expression|hclexpr.Body
---@param config hclexpr.module.Config
---@return hclexpr.module.Node[]
function Graph:named(object, config)
  local list = {}
  needs.add_all(self, list, config, dependencies.of(object))
  return list
end

--- Returns the sequences of the folders in the tree (sequence.lua), or false if the nodes can't be ordered folder by folder.
---@return table<hclexpr.module.Folder, hclexpr.module.Sequence>|false
function Graph:sequences()
  if self.in_order == nil then self.in_order = sequence.of(self.root) end
  return self.in_order
end

--- Returns all nodes in source order. Providers that no resource or action needs are left out.
---@return hclexpr.module.Node[]
function Graph:all()
  local nodes, used = {}, nil
  for _, config in ipairs(dependencies.modules(self.root)) do
    for _, step in ipairs(dependencies.steps(config.folder).list) do
      local node = self:node(config, step.key)
      if node and node.kind == "provider" then
        used = used or self:used_providers()
        if used[node] then nodes[#nodes + 1] = node end
      elseif node then
        nodes[#nodes + 1] = node
      end
    end
  end
  return nodes
end

--- Returns the providers that at least one resource or action needs.
---@return table<hclexpr.module.Node, true>
function Graph:used_providers()
  local used = {}
  for _, name in ipairs { "resources", "actions" } do
    for _, node in ipairs(self:of_list(name)) do
      for _, needed in ipairs(self:needs(node)) do
        if needed.kind == "provider" then used[needed] = true end
      end
    end
  end
  return used
end

--- Returns the nodes of all folders that are in one of the lists of Steps, in source order.
---@param name "resources"|"actions"|"checked"
---@return hclexpr.module.Node[]
function Graph:of_list(name)
  local nodes = {}
  for _, config in ipairs(dependencies.modules(self.root)) do
    for _, key in ipairs(dependencies.steps(config.folder)[name]) do nodes[#nodes + 1] = self:node(config, key) end
  end
  return nodes
end

-- The kinds of nodes that are evaluated inside a module. (Variables and their rules also belong to the module's call.)
local inner_kinds = { ["local"] = true, output = true, call = true, resource = true, action = true, check = true,
                      provider = true }

--- Returns the nodes of a module that are evaluated inside it.
---@param config hclexpr.module.Config
---@return hclexpr.module.Node[]
function Graph:inner_nodes(config)
  local nodes = {}
  for _, step in ipairs(dependencies.steps(config.folder).list) do
    local node = inner_kinds[step.kind] and self:node(config, step.key)
    if node then nodes[#nodes + 1] = node end
  end
  return nodes
end

--- Returns for each node the nodes that need it; and for each key that isn't declared, by Config, the nodes that need the key.
---@return table<hclexpr.module.Node, hclexpr.module.Node[]> users
---@return table<hclexpr.module.Config, table<string, hclexpr.module.Node[]>> missing
function Graph:users()
  local users, missing = {}, {}
  local function put(map, key, node)
    local list = map[key] or {}
    map[key], list[#list + 1] = list, node
  end
  for _, node in ipairs(self:all()) do self:needs(node) end
  for _, nodes in pairs(self.nodes) do
    for _, node in pairs(nodes) do
      local needed = node and node.needs or none
      for i = 1, #needed do put(users, needed[i], node) end
      for _, wanted in ipairs(needed.missing or none) do
        missing[wanted.config] = missing[wanted.config] or {}
        put(missing[wanted.config], wanted.key, node)
      end
    end
  end
  return users, missing
end

--- Returns the node with an address from id(), or nil.
---@param address string
---@return hclexpr.module.Node?
function Graph:find(address)
  local config = self.root
  while true do
    local name, rest = address:match "^module%.([^.]+)%.(.+)$"
    local child = name and config.children[name]
    if not child then return self:node(config, address) or nil end
    config, address = child, rest
  end
end

--- Forgets the nodes of some keys in a Config, because their declarations have changed. Keys that are still declared get new nodes at their
--- next use.
---@param config hclexpr.module.Config
---@param keys string[]
function Graph:forget(config, keys)
  self.in_order = nil
  for _, key in ipairs(keys) do
    if self.nodes[config] then self.nodes[config][key] = nil end
  end
end

return Graph
