-- The graph of a module: what needs what. Nodes are made when they are first asked for, and so are their needs: one local of a large
-- folder touches only what it needs.
--
-- A call of a module is two nodes: its opening, which knows the instances, comes before all that is inside; `module.m` as a whole needs
-- its closing, which comes after all that is inside. One output of it needs only that output, so modules may feed each other.
local references = require "hclexpr.module.references"

---@class hclexpr.module.Graph
---@field root hclexpr.module.Config
---@field nodes table<string, hclexpr.module.Node> by id
---@field missing table<string, table<hclexpr.module.Node, true>> who names what isn't there: a declaration may come later
local Graph = {}
Graph.__index = Graph

---@param root hclexpr.module.Config
---@return hclexpr.module.Graph
function Graph.new(root)
  return setmetatable({ root = root, nodes = {}, missing = {} }, Graph)
end

-- Nodes

-- Where the declaration of a key stands, by the key's first word; resources have none.
local places = { var = "variables", ["local"] = "locals", output = "outputs", module = "calls", check = "checks", provider = "providers" }
local kinds = { var = "variable", ["local"] = "local", output = "output", module = "call", check = "check", provider = "provider" }
local steps = { ["(validation)"] = "validation", ["(close)"] = "close" }

local function find(config, key)
  local address, step = key:match "^(.*) (%(%l+%))$"
  address = address or key
  local word, name = address:match "^(%l+)%.(.*)$"
  local place = places[word]
  local declaration = place and config.folder[place][name]
  if not place then declaration = references.resource_in(config.folder, address) end
  if not declaration or step == "(validation)" and #declaration.rules == 0 then return nil end
  if word == "module" and not config.children[name] then return nil end
  return declaration, steps[step] or kinds[word] or "resource"
end

--- The node of a key in a Config: the address of a declaration, perhaps with a step: "var.a (validation)", "module.m (close)". nil:
--- nothing is declared there.
---@param config hclexpr.module.Config
---@param key string
---@return hclexpr.module.Node?
function Graph:node(config, key)
  local id = config.address == "" and key or config.address .. "." .. key
  local node = self.nodes[id]
  if node then return node end
  local declaration, kind = find(config, key)
  if not declaration then return nil end
  node = { id = id, key = key, kind = kind, config = config, declaration = declaration, users = {} }
  self.nodes[id] = node
  return node
end

-- Needs. An adder collects the needs of one node, each once.

local Adder = {}
Adder.__index = Adder

function Adder:node(config, key)
  local needed = self.graph:node(config, key)
  if not needed then
    local id = config.address == "" and key or config.address .. "." .. key
    local users = self.graph.missing[id] or {}
    self.graph.missing[id], users[self.of] = users, true
  elseif needed ~= self.of and not self.seen[needed] then
    self.seen[needed] = true
    self.needs[#self.needs + 1] = needed
    needed.users[self.of] = true
  end
end

local refer = {}

function refer.variable(adder, config, ref)
  adder:node(config, ref.key)
  local declaration = config.folder.variables[ref.name]
  -- Whoever uses a variable waits for its rules, except these.
  if not declaration or #declaration.rules == 0 then return end
  if adder.of.kind == "validation" and adder.of.config == config and adder.of.declaration == declaration then return end
  adder:node(config, ref.key .. " (validation)")
end

refer["local"] = function(adder, config, ref)
  adder:node(config, ref.key)
end
refer.resource = refer["local"]

function refer.call(adder, config, ref)
  adder:node(config, ref.key)
  adder:node(config, ref.key .. " (close)")
end

function refer.output(adder, config, ref)
  adder:node(config, ref.key)
  local child = config.children[ref.name]
  if child then adder:node(child, "output." .. ref.output) end
end

function Adder:references(config, refs)
  for _, ref in ipairs(refs) do
    local add = refer[ref.kind]
    if add and ref.name ~= "" then add(self, config, ref) end
  end
end

function Adder:object(config, object)
  self:references(config, references.of(object).refs)
end

function Adder:argument(config, declaration, name)
  local attribute = declaration.arguments[name]
  if attribute then self:object(config, attribute.expression) end
end

function Adder:traversals(config, list)
  for _, traversal in ipairs(list or {}) do
    local ref = references.read(traversal)
    if ref then self:references(config, { ref }) end
  end
end

function Adder:rules(config, declaration)
  for _, rule in ipairs(declaration.rules) do
    self:object(config, rule.condition.expression)
    if rule.error_message then self:object(config, rule.error_message.expression) end
  end
end

local need = {}

function need.variable(adder, node)
  local given = node.config.parent and node.config.arguments[node.declaration.name]
  if given then adder:object(node.config.parent, given.expression) end
end

function need.validation(adder, node)
  adder:node(node.config, node.declaration.address)
  adder:rules(node.config, node.declaration)
end

need["local"] = function(adder, node)
  adder:object(node.config, node.declaration.attribute.expression)
end

function need.output(adder, node)
  adder:argument(node.config, node.declaration, "value")
  adder:traversals(node.config, node.declaration.depends_on)
  adder:rules(node.config, node.declaration)
end

function need.call(adder, node)
  adder:argument(node.config, node.declaration, "count")
  adder:argument(node.config, node.declaration, "for_each")
  adder:traversals(node.config, node.declaration.depends_on)
end

function need.close(adder, node)
  local child = node.config.children[node.declaration.name]
  adder:node(node.config, node.declaration.address)
  for _, key in ipairs(Graph.keys(child)) do adder:node(child, key) end
end

-- The keys of all nodes of a Config, in the order of the sources.
---@param config hclexpr.module.Config
---@return string[]
function Graph.keys(config)
  local keys = {}
  for _, declaration in ipairs(config.folder.order) do
    local address = declaration.address
    if kinds[address:match "^%l+"] or declaration.kind == "resource" then keys[#keys + 1] = address end
    if declaration.kind == "variable" and #declaration.rules > 0 then keys[#keys + 1] = address .. " (validation)" end
    if declaration.kind == "call" and config.children[declaration.name] then keys[#keys + 1] = address .. " (close)" end
  end
  return keys
end

-- The name under which the caller of a module knows a provider's configuration; nil: it passes none.
local function passed(call, key)
  if not call.providers then return not key:find(".", 1, true) and key or nil end
  for _, pair in ipairs(call.providers) do
    if pair.child.key == key then return pair.parent.key end
  end
end

--- The Config and declaration of the provider that configures a resource of a Config; nil: none is declared.
---@param config hclexpr.module.Config
---@param key string a local name, or "name.alias"
---@return hclexpr.module.Config?, hclexpr.module.Declaration?
function Graph.provider_of(config, key)
  while config and key do
    local declaration = config.folder.providers[key]
    if declaration then return config, declaration end
    key = config.call and passed(config.call, key)
    config = config.parent
  end
end

function need.resource(adder, node)
  local declaration, config = node.declaration, node.config
  adder:traversals(config, declaration.depends_on)
  adder:argument(config, declaration, "count")
  adder:argument(config, declaration, "for_each")
  for _, body in ipairs(declaration.bodies) do adder:object(config, body) end
  adder:traversals(config, declaration.lifecycle and declaration.lifecycle.replace_triggered_by)
  adder:rules(config, declaration)
  local home, provider = Graph.provider_of(config, declaration.provider and declaration.provider.key or declaration.type:match "^[^_]*")
  if provider then adder:node(home, provider.address) end
end

function need.check(adder, node)
  adder:rules(node.config, node.declaration)
  if node.declaration.child then adder:node(node.config, node.declaration.child.address) end
end

function need.provider(adder, node)
  for _, body in ipairs(node.declaration.bodies) do adder:object(node.config, body) end
end

--- The nodes that a node needs, each once.
---@param node hclexpr.module.Node
---@return hclexpr.module.Node[]
function Graph:needs(node)
  if node.needs then return node.needs end
  local adder = setmetatable({ graph = self, of = node, needs = {}, seen = {} }, Adder)
  node.needs = adder.needs
  local config = node.config
  if config.parent then adder:node(config.parent, config.call.address) end
  need[node.kind](adder, node)
  return node.needs
end

--- Has the needs of a node worked out anew.
---@param node hclexpr.module.Node
function Graph.renew(node)
  for _, needed in ipairs(node.needs or {}) do needed.users[node] = nil end
  node.needs = nil
end

--- Takes the nodes of a declaration out.
---@param configs hclexpr.module.Config[]
---@param declaration hclexpr.module.Declaration
function Graph:remove(configs, declaration)
  for _, config in ipairs(configs) do
    for _, step in ipairs { "", " (validation)", " (close)" } do
      local key = declaration.address .. step
      local id = config.address == "" and key or config.address .. "." .. key
      local node = self.nodes[id]
      if node then
        Graph.renew(node)
        self.nodes[id] = nil
      end
    end
  end
end

--- The nodes that the references of an expression name.
---@param object hclexpr.Expression
---@param config hclexpr.module.Config
---@return hclexpr.module.Node[]
function Graph:named(object, config)
  local nobody = { kind = "expression", users = {} }
  local adder = setmetatable({ graph = { nodes = self.nodes, missing = {}, node = Graph.node }, of = nobody, needs = {}, seen = {} }, Adder)
  adder:object(config, object)
  for _, node in ipairs(adder.needs) do node.users[nobody] = nil end
  return adder.needs
end

--- All nodes of a Config and those below it, in the order of the sources. Providers without resources are left out.
---@return hclexpr.module.Node[]
function Graph:all()
  local nodes, configs, providers = {}, { self.root }, {}
  while #configs > 0 do
    local config = table.remove(configs)
    for _, key in ipairs(Graph.keys(config)) do
      local node = self:node(config, key)
      if node then
        if node.kind == "provider" then providers[#providers + 1] = node else nodes[#nodes + 1] = node end
      end
    end
    local names = {}
    for name in pairs(config.children) do names[#names + 1] = name end
    table.sort(names, function(a, b) return a > b end)
    for _, name in ipairs(names) do configs[#configs + 1] = config.children[name] end
  end
  for _, node in ipairs(nodes) do self:needs(node) end
  for _, node in ipairs(providers) do
    if next(node.users) then nodes[#nodes + 1] = node end
  end
  return nodes
end

-- Order

--- Calls visit(component) for each group of nodes that need each other, a group after all that it needs; most are single nodes. Nodes
--- for which skip(node) is true are left out. Tarjan's algorithm with a stack of its own.
---@param roots hclexpr.module.Node[]
---@param skip fun(node: hclexpr.module.Node): boolean
---@param visit fun(component: hclexpr.module.Node[])
function Graph:order(roots, skip, visit)
  local index, low, open, stack, n = {}, {}, {}, {}, 0
  local path, nexts = {}, {}
  local function enter(node)
    n = n + 1
    index[node], low[node], open[node] = n, n, true
    stack[#stack + 1] = node
    path[#path + 1], nexts[#nexts + 1] = node, 1
  end
  local function leave(node)
    path[#path], nexts[#nexts] = nil, nil
    local above = path[#path]
    if above and low[node] < low[above] then low[above] = low[node] end
    if low[node] ~= index[node] then return end
    local component = {}
    repeat
      local last = table.remove(stack)
      open[last] = nil
      component[#component + 1] = last
    until last == node
    visit(component)
  end
  for _, root in ipairs(roots) do
    if not index[root] and not skip(root) then enter(root) end
    while #path > 0 do
      local node = path[#path]
      local needed = self:needs(node)[nexts[#nexts]]
      nexts[#nexts] = nexts[#nexts] + 1
      if not needed then
        leave(node)
      elseif not index[needed] then
        if not skip(needed) then enter(needed) end
      elseif open[needed] and index[needed] < low[node] then
        low[node] = index[needed]
      end
    end
  end
end

--- A way round within nodes that need each other, as short as can be, from the one that comes first.
---@param component hclexpr.module.Node[]
---@return hclexpr.module.Node[]
function Graph:circle(component)
  local within, from, queue = {}, {}, {}
  for _, node in ipairs(component) do within[node] = true end
  table.sort(component, function(a, b) return a.id < b.id end)
  local start = component[1]
  queue[1] = start
  for _, node in ipairs(queue) do
    for _, needed in ipairs(self:needs(node)) do
      if needed == start then
        local way = { node }
        while way[#way] ~= start do way[#way + 1] = from[way[#way]] end
        local circle = {}
        for i = #way, 1, -1 do circle[#circle + 1] = way[i] end
        return circle
      end
      if within[needed] and not from[needed] then
        from[needed] = node
        queue[#queue + 1] = needed
      end
    end
  end
  return component
end

return Graph
