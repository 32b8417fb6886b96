-- Data sources that wait, and what waits for something that is missing.
--
-- One waits that names a resource which a plan changes: it is read after that, even if its configuration is known by then.
-- What it gets through local values, variables or other data sources doesn't make it wait; depends_on does, through whatever it names,
-- and so does that of the modules around it. One with conditions waits for all that it needs: a change may be what makes them hold.
local missing = require("hclexpr.lazy") "hclexpr.terraform.tree.missing"
local references = require "hclexpr.terraform.read.references"
local sorted = require "hclexpr.sorted"

local waiting = {}

local function is_managed(node)
  return node.kind == "resource" and node.declaration.mode == "managed"
end

-- Collects nodes of resources, and what else is needed on the way to them where `deep` says so.
local function collect(graph, found, node, deep)
  local stack, seen = { node }, {}
  while #stack > 0 do
    local at = table.remove(stack)
    if not seen[at] then
      seen[at] = true
      if is_managed(at) and at ~= found.of and not found[at] then
        found[at] = true
        found.list[#found.list + 1] = at
      end
      if deep(at) then
        for _, needed in ipairs(graph:needs(at)) do stack[#stack + 1] = needed end
      end
    end
  end
end

local function never() return false end
local function always() return true end
local function not_resource(node) return node.kind ~= "resource" end

local function node_of(graph, config, ref)
  if ref.kind == "output" and config.children[ref.name] then return graph:node(config.children[ref.name], "output." .. ref.output) end
  return ref.key and graph:node(config, ref.kind == "call" and ref.key .. " (close)" or ref.key)
end

local function add_depends_on(graph, found, config, traversals, deep)
  for _, traversal in ipairs(traversals or {}) do
    local ref = references.read(traversal)
    local node = ref and node_of(graph, config, ref)
    -- Behind a name of anything but a resource all resources count.
    if node then collect(graph, found, node, deep == always and always or not_resource(node) and always or never) end
  end
end

local function add_named(graph, found, config, object)
  for _, ref in ipairs(references.of(object)) do
    if ref.kind == "resource" and ref.mode == "managed" then
      local node = graph:node(config, ref.key)
      if node then collect(graph, found, node, never) end
    end
  end
end

-- The nodes of the resources for which a data source waits.
local function resources_of(graph, of)
  local found, declaration, config = { list = {}, of = of }, of.declaration, of.config
  for _, name in ipairs { "count", "for_each", "enabled" } do
    local attribute = declaration.arguments[name]
    if attribute then add_named(graph, found, config, attribute.expression) end
  end
  for _, body in ipairs(declaration.bodies) do add_named(graph, found, config, body) end
  add_depends_on(graph, found, config, declaration.depends_on, never)
  if #declaration.rules > 0 then collect(graph, found, of, always) end
  while config.parent do
    add_depends_on(graph, found, config.parent, config.call.depends_on, always)
    config = config.parent
  end
  return found.list
end

--- Has a data source of an instance of a module to wait?
---@param walk hclexpr.module.Walk
---@param of hclexpr.module.Node
---@param instance hclexpr.module.Instance
---@param leaves fun(walk: hclexpr.module.Walk, node: hclexpr.module.Node, instance?: hclexpr.module.Instance): boolean does anything go of it?
---@return boolean
function waiting.waits(walk, of, instance, leaves)
  of.waits_for = of.waits_for or resources_of(walk.graph, of)
  for _, node in ipairs(of.waits_for) do
    for _, other in ipairs(walk.instances[node.config] or {}) do
      local expansion = (node.config ~= of.config or other == instance) and other.resources[node.declaration.address]
      if expansion and expansion.changes then return true end
    end
    if leaves(walk, node, node.config == of.config and instance or nil) then return true end
  end
  return false
end

-- Why names that needs lack have no values: they may be declared in a file of their folder that doesn't parse.
local function torn(walk, needs)
  for _, wanted in ipairs(needs.missing or {}) do
    local folder = wanted.config.folder
    if folder.unsure then
      return ("%s, which may be declared in %s, a file that doesn't parse"):format(walk.graph.id(wanted), folder.torn[1])
    end
  end
end

-- Why a node has no value, where that is missing; nil: it isn't.
local function lack(walk, at)
  local config, module = at.config, walk.module
  if walk.unread[at] then
    return walk.graph.id(at) .. ", which wasn't read: there is neither a state nor a callback that has it"
  elseif module.run.outside[at] then
    return ("%s, which needs %s, outside of the folders that may be read"):format(walk.graph.id(at), sorted(module.run.outside[at])[1])
  elseif at.kind == "call" and config.children[at.declaration.name].folder.absent then
    return config.children[at.declaration.name].address .. ", which isn't here"
  elseif at.kind == "variable" and not config.parent and module.lenient and missing.lacks_value(at.declaration, module.inputs) then
    return at.declaration.address .. ", which has no value"
  end
  local given = at.kind == "variable" and not config.parent and module.inputs[at.declaration.name]
  if given and given.torn then
    return ("%s, which %s may set, a file that can't be read"):format(at.declaration.address, given.torn)
  end
  return torn(walk, walk.graph:needs(at))
end

--- What is missing of what an expression needs, in words: data that wasn't read, a module that isn't here, a variable without a value. The
--- nearest is named; nil: nothing is missing.
---@param walk hclexpr.module.Walk
---@param expression hclexpr.Expression|hclexpr.Body
---@param config hclexpr.module.Config
---@return string?
function waiting.lack(walk, expression, config)
  local queue, seen = {}, {}
  local function add(nodes)
    for _, node in ipairs(nodes) do
      if not seen[node] then seen[node], queue[#queue + 1] = true, node end
    end
  end
  local named = walk.graph:named(expression, config)
  local why = torn(walk, named)
  if why then return why end
  add(named)
  for _, at in ipairs(queue) do
    why = lack(walk, at)
    if why then return why end
    add(walk.graph:needs(at))
  end
end

return waiting
