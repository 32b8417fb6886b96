-- The graph of a module: what needs what. Nodes are made when they are first asked for, and so are their needs: one local of a large
-- folder touches only what it needs.
--
-- A call of a module is two nodes: its opening, which knows the instances, comes before all that is inside; `module.m` as a whole needs
-- its closing, which comes after all that is inside. One output of it needs only that output, so modules may feed each other.
--
-- A folder that is called a hundred times has a hundred sets of nodes. What they have in common is worked out once: the steps of the folder
-- (its nodes without a Config), and the wants of an expression (its needs without a Config).
local references = require "hclexpr.module.references"

---@class hclexpr.module.Graph
---@field root hclexpr.module.Config
---@field count integer of nodes so far
---@field nodes table<hclexpr.module.Config, table<string, hclexpr.module.Node|false>> by key
local Graph = {}
Graph.__index = Graph

---@param root hclexpr.module.Config
---@return hclexpr.module.Graph
function Graph.new(root)
  return setmetatable({ root = root, count = 0, nodes = {} }, Graph)
end

-- Steps of folders

local kinds = { variable = "variable", ["local"] = "local", output = "output", call = "call", check = "check", provider = "provider",
                resource = "resource" }

-- { keys in order, kind and declaration by key }
local function steps_of(folder)
  local steps = folder.steps
  if steps then return steps end
  steps = { keys = {}, kinds = {}, declarations = {} }
  local function add(key, kind, declaration)
    steps.keys[#steps.keys + 1] = key
    steps.kinds[key], steps.declarations[key] = kind, declaration
  end
  for _, declaration in ipairs(folder.order) do
    local kind, address = kinds[declaration.kind], declaration.address
    if kind then add(address, kind, declaration) end
    if kind == "variable" and #declaration.rules > 0 then add(address .. " (validation)", "validation", declaration) end
    if kind == "call" then add(address .. " (close)", "close", declaration) end
  end
  folder.steps = steps
  return steps
end

-- Nodes

local function new_node(graph, config, key)
  local steps = steps_of(config.folder)
  local declaration = steps.declarations[key]
  local kind = steps.kinds[key]
  -- A module that couldn't be read has nothing to close.
  if not declaration or kind == "close" and not config.children[declaration.name] then return false end
  graph.count = graph.count + 1
  return { key = key, kind = kind, config = config, declaration = declaration, number = graph.count }
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
  local address = node.config.address
  return address == "" and node.key or address .. "." .. node.key
end

-- Wants: what an expression refers to, each once: { key = of a node in its Config } or, for an output, { call =, key = in that module }.
-- may_lack: where there is no such node, none will be missed.

local wants_of = setmetatable({}, { __mode = "k" })

local want = {}

function want.variable(add, ref)
  add(ref.key)
  -- Whoever uses a variable waits for its rules.
  add(ref.key .. " (validation)", nil, true)
end

want["local"] = function(add, ref) add(ref.key) end
want.resource = want["local"]

function want.call(add, ref)
  add(ref.key)
  add(ref.key .. " (close)")
end

function want.output(add, ref)
  add(ref.key)
  add("output." .. ref.output, ref.name)
end

local function add_wants(list, refs)
  local seen = {}
  local function add_one(key, call, may_lack)
    local id = call and call .. "." .. key or key
    if seen[id] then return end
    seen[id] = true
    list[#list + 1] = { key = key, call = call, may_lack = may_lack }
  end
  for _, ref in ipairs(refs) do
    local found = want[ref.kind]
    if found and ref.name ~= "" then found(add_one, ref) end
  end
  return list
end

local function wants(object)
  local list = wants_of[object]
  if not list then
    list = add_wants({}, references.of(object).refs)
    wants_of[object] = list
  end
  return list
end

-- Needs. of: the node whose needs are put together; in each needed one it is noted, so that none is taken twice.

local function add(graph, of, config, key, may_lack)
  local needed = graph:node(config, key)
  if not needed then
    if may_lack then return end
    of.missing = of.missing or {}
    of.missing[#of.missing + 1] = { config = config, key = key }
  elseif needed ~= of and needed.noted ~= of then
    needed.noted = of
    of.needs[#of.needs + 1] = needed
  end
end

local function add_all(graph, of, config, list)
  for i = 1, #list do
    local wanted = list[i]
    local call = wanted.call
    if not call then
      add(graph, of, config, wanted.key, wanted.may_lack)
    elseif config.children[call] then
      add(graph, of, config.children[call], wanted.key)
    end
  end
end

local function add_expression(graph, of, config, attribute)
  if attribute then add_all(graph, of, config, wants(attribute.expression)) end
end

local function add_traversals(graph, of, config, list)
  for _, traversal in ipairs(list or {}) do
    local ref = references.read(traversal)
    if ref then add_all(graph, of, config, add_wants({}, { ref })) end
  end
end

local function add_rules(graph, of, config)
  for _, rule in ipairs(of.declaration.rules) do
    add_expression(graph, of, config, rule.condition)
    add_expression(graph, of, config, rule.error_message)
  end
end

local need = {}

function need.variable(graph, node, config)
  if config.parent then add_expression(graph, node, config.parent, config.arguments[node.declaration.name]) end
end

function need.validation(graph, node, config)
  add(graph, node, config, node.declaration.address)
  add_rules(graph, node, config)
end

need["local"] = function(graph, node, config)
  add_expression(graph, node, config, node.declaration.attribute)
end

function need.output(graph, node, config)
  add_expression(graph, node, config, node.declaration.arguments.value)
  add_traversals(graph, node, config, node.declaration.depends_on)
  add_rules(graph, node, config)
end

function need.call(graph, node, config)
  local arguments = node.declaration.arguments
  add_expression(graph, node, config, arguments.count)
  add_expression(graph, node, config, arguments.for_each)
  add_traversals(graph, node, config, node.declaration.depends_on)
end

function need.close(graph, node, config)
  local child = config.children[node.declaration.name]
  add(graph, node, config, node.declaration.address)
  for _, key in ipairs(steps_of(child.folder).keys) do add(graph, node, child, key) end
end

-- The name under which the caller of a module knows a provider's configuration; nil: it passes none.
local function passed(call, key)
  if not call.providers then return not key:find(".", 1, true) and key or nil end
  for _, pair in ipairs(call.providers) do
    if pair.child.key == key then return pair.parent.key end
  end
end

-- The Config and declaration of the provider that configures a resource of a Config; nil: none is declared.
local function provider_of(config, key)
  while config and key do
    local declaration = config.folder.providers[key]
    if declaration then return config, declaration end
    key = config.call and passed(config.call, key)
    config = config.parent
  end
end

function need.resource(graph, node, config)
  local declaration = node.declaration
  local arguments = declaration.arguments
  add_traversals(graph, node, config, declaration.depends_on)
  add_expression(graph, node, config, arguments.count)
  add_expression(graph, node, config, arguments.for_each)
  for _, body in ipairs(declaration.bodies) do add_all(graph, node, config, wants(body)) end
  add_traversals(graph, node, config, declaration.lifecycle and declaration.lifecycle.replace_triggered_by)
  add_rules(graph, node, config)
  local home, provider = provider_of(config, declaration.provider and declaration.provider.key or declaration.type:match "^[^_]*")
  if provider then add(graph, node, home, provider.address) end
end

function need.check(graph, node, config)
  add_rules(graph, node, config)
  if node.declaration.child then add(graph, node, config, node.declaration.child.address) end
end

function need.provider(graph, node, config)
  for _, body in ipairs(node.declaration.bodies) do add_all(graph, node, config, wants(body)) end
end

--- The nodes that a node needs, each once.
---@param node hclexpr.module.Node
---@return hclexpr.module.Node[]
function Graph:needs(node)
  if node.needs then return node.needs end
  node.needs, node.missing = {}, nil
  local config = node.config
  if config.parent then add(self, node, config.parent, config.call.address) end
  need[node.kind](self, node, config)
  return node.needs
end

--- The nodes that the references of an expression name.
---@param object hclexpr.Expression
---@param config hclexpr.module.Config
---@return hclexpr.module.Node[]
function Graph:named(object, config)
  local nobody = { needs = {} }
  add_all(self, nobody, config, wants(object))
  return nobody.needs
end

-- The Configs of a tree, callers before what they call.
local function configs_of(root)
  local found = { root }
  local i = 1
  while found[i] do
    for _, declaration in ipairs(found[i].folder.order) do
      local child = declaration.kind == "call" and found[i].children[declaration.name]
      if child then found[#found + 1] = child end
    end
    i = i + 1
  end
  return found
end

--- All nodes, in the order of the sources. Providers without resources are left out.
---@return hclexpr.module.Node[]
function Graph:all()
  local nodes, providers, used = {}, {}, {}
  for _, config in ipairs(configs_of(self.root)) do
    for _, key in ipairs(steps_of(config.folder).keys) do
      local node = self:node(config, key)
      if node and node.kind == "provider" then providers[#providers + 1] = node
      elseif node then nodes[#nodes + 1] = node end
    end
  end
  if #providers == 0 then return nodes end
  for _, node in ipairs(nodes) do
    if node.kind == "resource" then
      for _, needed in ipairs(self:needs(node)) do used[needed] = true end
    end
  end
  for _, node in ipairs(providers) do
    if used[node] then nodes[#nodes + 1] = node end
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
      for _, needed in ipairs(node and node.needs or {}) do put(users, needed, node) end
      for _, wanted in ipairs(node and node.missing or {}) do
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
  config.folder.steps = nil
  for _, key in ipairs(keys) do
    if self.nodes[config] then self.nodes[config][key] = nil end
  end
end

return Graph
