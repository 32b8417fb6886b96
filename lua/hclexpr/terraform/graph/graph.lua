-- The graph of a module: what needs what. Nodes are made when they are first asked for, and so are their needs: one local of a large
-- folder touches only what it needs.
--
-- A call of a module is two nodes: its opening, which knows the instances, comes before all that is inside; `module.m` as a whole needs
-- its closing, which comes after all that is inside. One output of it needs only that output, so modules may feed each other.
--
-- A folder that is called a hundred times has a hundred sets of nodes. What they have in common is worked out once: the steps of the folder
-- (its nodes without a Config), and the wants of an expression (its needs without a Config).
local import_targets = require("hclexpr.lazy") "hclexpr.terraform.graph.import_targets"
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"
local providers = require "hclexpr.terraform.tree.providers"

local nobody = {}

---@class hclexpr.module.Graph
---@field root hclexpr.module.Config
---@field count integer of nodes so far
---@field nodes table<hclexpr.module.Config, table<string, hclexpr.module.Node|false>> by key
local Graph = {}
Graph.__index = Graph

---@param root hclexpr.module.Config
---@param breathe? fun() the host may do something else
---@return hclexpr.module.Graph
function Graph.new(root, breathe)
  return setmetatable({ root = root, breathe = breathe or function() end, count = 0, nodes = {} }, Graph)
end

-- Nodes

local function new_node(graph, config, key)
  local step = dependencies.step(config.folder, key)
  -- A module that couldn't be read has nothing to close.
  if not step or step.kind == "close" and not config.children[step.declaration.name] then return false end
  graph.breathe()
  graph.count = graph.count + 1
  return { key = key, kind = step.kind, config = config, declaration = step.declaration, number = graph.count }
end

--- The node of a key in a Config: the address of a declaration, perhaps with a step: "var.a (validation)", "module.m (close)". false:
--- nothing is declared there.
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

--- What a node is called: "module.a.var.x", "var.x (validation)".
---@param node hclexpr.module.Node
---@return string
function Graph.id(node)
  return naming.within(node.config.address, node.key)
end

-- Needs. list: what is put together, and `missing` what isn't there. Each node notes the list that has it, so that none is taken twice. A
-- list is a node's only once it is whole: an error may end this.

-- Returns whether the node is there.
local function add(graph, list, config, key, may_lack, kind)
  local needed = graph:node(config, key)
  if not needed or kind and needed.kind ~= kind then
    if may_lack then return false end
    list.missing = list.missing or {}
    list.missing[#list.missing + 1] = { config = config, key = key }
    return false
  elseif needed.noted ~= list then
    needed.noted = list
    list[#list + 1] = needed
  end
  return true
end

local function add_all(graph, list, config, all)
  for i = 1, #all do
    local wanted = all[i]
    local call = wanted.call
    if not call then
      add(graph, list, config, wanted.key, wanted.may_lack, wanted.kind)
    elseif config.children[call] then
      local child = config.children[call]
      -- An output that isn't there is missed in the whole module. In module.m.k of a call with instances k is a key. What an output of a
      -- module that isn't here needs can't be said: hardly all of its arguments, which may need the output themselves.
      if not child.folder.absent and (not add(graph, list, child, wanted.key) or wanted.whole and child.call.arguments.for_each) then
        add(graph, list, config, naming.call(call) .. " (close)", true)
      end
    end
  end
end

local function add_expression(graph, list, config, attribute)
  if attribute then add_all(graph, list, config, dependencies.of(attribute.expression)) end
end

local function add_rules(graph, list, config, declaration)
  for _, rule in ipairs(declaration.rules) do
    add_expression(graph, list, config, rule.condition)
    add_expression(graph, list, config, rule.error_message)
  end
end

local need = {}

function need.variable(graph, list, config, declaration)
  if config.parent then add_expression(graph, list, config.parent, config.arguments[declaration.name]) end
end

function need.validation(graph, list, config, declaration)
  add(graph, list, config, declaration.address)
  add_rules(graph, list, config, declaration)
end

need["local"] = function(graph, list, config, declaration)
  add_expression(graph, list, config, declaration.attribute)
end

function need.output(graph, list, config, declaration)
  add_expression(graph, list, config, declaration.arguments.value)
  add_all(graph, list, config, dependencies.of_traversals(declaration.depends_on))
  add_rules(graph, list, config, declaration)
end

function need.call(graph, list, config, declaration)
  local arguments = declaration.arguments
  add_expression(graph, list, config, arguments.count)
  add_expression(graph, list, config, arguments.for_each)
  add_all(graph, list, config, dependencies.of_traversals(declaration.depends_on))
end

function need.close(graph, list, config, declaration)
  local child = config.children[declaration.name]
  add(graph, list, config, declaration.address)
  for _, step in ipairs(dependencies.steps(child.folder).list) do add(graph, list, child, step.key) end
end

local function add_provider(graph, list, config, declaration)
  local home, source, alias = providers.home(config, naming.provider_reference(declaration))
  local provider = home and providers.own(home.folder, source, alias)
  if provider then add(graph, list, home, provider.address) end
end

function need.resource(graph, list, config, declaration)
  local arguments = declaration.arguments
  add_all(graph, list, config, dependencies.of_traversals(declaration.depends_on))
  add_expression(graph, list, config, arguments.count)
  add_expression(graph, list, config, arguments.for_each)
  for _, body in ipairs(dependencies.bodies(declaration)) do add_all(graph, list, config, dependencies.of(body)) end
  for _, body in ipairs(dependencies.provisioner_bodies(declaration)) do add_all(graph, list, config, dependencies.of(body)) end
  add_all(graph, list, config, dependencies.of_traversals(declaration.lifecycle and declaration.lifecycle.replace_triggered_by))
  add_rules(graph, list, config, declaration)
  for _, trigger in ipairs(declaration.triggers or nobody) do
    add_expression(graph, list, config, trigger.condition)
    for _, called in ipairs(trigger.actions) do add(graph, list, config, called.key) end
  end
  if dependencies.may_import(config) then
    import_targets.each(config, declaration, function(d, of)
      add_expression(graph, list, of, d.arguments.for_each)
      add_expression(graph, list, of, d.arguments.id)
      add_expression(graph, list, of, d.arguments.identity)
    end)
  end
  add_provider(graph, list, config, declaration)
end

-- What triggers an action may be named in it: that is made before.
function need.action(graph, list, config, declaration)
  local callers = dependencies.callers(config.folder, declaration.address)
  for _, object in ipairs(dependencies.parts(declaration)) do
    for _, wanted in ipairs(dependencies.of(object)) do
      if not callers[wanted.key] then add_all(graph, list, config, { wanted }) end
    end
  end
  add_provider(graph, list, config, declaration)
end

function need.check(graph, list, config, declaration)
  add_rules(graph, list, config, declaration)
  if declaration.child then add(graph, list, config, declaration.child.address) end
end

function need.provider(graph, list, config, declaration)
  for _, body in ipairs(dependencies.bodies(declaration)) do add_all(graph, list, config, dependencies.of(body)) end
end

--- The nodes that a node needs, each once.
---@param node hclexpr.module.Node
---@return hclexpr.module.Node[]
function Graph:needs(node)
  if node.needs then return node.needs end
  self.breathe()
  local list, config = {}, node.config
  node.noted = list -- it doesn't count itself
  if config.parent then add(self, list, config.parent, config.call.address) end
  need[node.kind](self, list, config, node.declaration)
  node.needs = list
  return list
end

--- The nodes that the references of an expression or a body name.
---@param object hclexpr.Expression|hclexpr.Body
---@param config hclexpr.module.Config
---@return hclexpr.module.Node[]
function Graph:named(object, config)
  local list = {}
  add_all(self, list, config, dependencies.of(object))
  return list
end

--- All nodes, in the order of the sources. Providers without resources and actions are left out.
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

--- The providers that some resource or action needs.
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

--- The nodes of one of the lists of a folder's steps, in the order of the sources.
---@param name "resources"|"actions"|"checked"
---@return hclexpr.module.Node[]
function Graph:of_list(name)
  local nodes = {}
  for _, config in ipairs(dependencies.modules(self.root)) do
    for _, key in ipairs(dependencies.steps(config.folder)[name]) do nodes[#nodes + 1] = self:node(config, key) end
  end
  return nodes
end

-- Variables and their rules belong to the call as well.
local inner_kinds = { ["local"] = true, output = true, call = true, resource = true, action = true, check = true,
                      provider = true }

--- The nodes of a module that are evaluated within it.
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

--- Which nodes need a node, of those whose needs are known; and the nodes that want what isn't there, by Config and key.
---@return table<hclexpr.module.Node, hclexpr.module.Node[]> users
---@return table<hclexpr.module.Config, table<string, hclexpr.module.Node[]>> missing
function Graph:users()
  local users, missing = {}, {}
  local function put(map, key, node)
    local list = map[key] or {}
    map[key], list[#list + 1] = list, node
  end
  for _, nodes in pairs(self.nodes) do
    for _, node in pairs(nodes) do
      local needs = node and node.needs or nobody
      for i = 1, #needs do put(users, needs[i], node) end
      for _, wanted in ipairs(needs.missing or nobody) do
        missing[wanted.config] = missing[wanted.config] or {}
        put(missing[wanted.config], wanted.key, node)
      end
    end
  end
  return users, missing
end

--- The node of an address as id() gives it; nil: there is none.
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

--- Forgets what is known of keys of a Config, whose declarations have changed: their nodes are made anew if they are still there.
---@param config hclexpr.module.Config
---@param keys string[]
function Graph:forget(config, keys)
  for _, key in ipairs(keys) do
    if self.nodes[config] then self.nodes[config][key] = nil end
  end
end

return Graph
