-- Finds the data sources that are read only after a pending change.
--
-- A data source waits if it refers to a resource that the plan changes, even if its own configuration is known earlier. References through
-- local values, variables or other data sources don't make it wait. Its depends_on does: for the resources that it names, and for all
-- resources that its other names need. The depends_on of the module calls around it does so for all resources that its names need. A data
-- source with conditions waits for everything that it needs, because a change may make the conditions hold.
local references = require "hclexpr.terraform.read.references"

local deferred_reads = {}

local function is_managed(node)
  return node.kind == "resource" and node.declaration.mode == "managed"
end

-- Adds to `found` the managed resources that a node is or leads to. deep(node) says whether to follow the needs of a node.
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
    -- If the name isn't that of a resource, all resources that its node needs count.
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

-- Returns the nodes of the resources for which a data source waits.
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

--- Returns true if a data source in an instance of a module must wait for a pending change.
---@param walk hclexpr.module.Walk
---@param of hclexpr.module.Node
---@param instance hclexpr.module.Instance
---@param leaves fun(walk: hclexpr.module.Walk, node: hclexpr.module.Node, instance?: hclexpr.module.Instance): boolean orphans.any
---@return boolean
function deferred_reads.waits(walk, of, instance, leaves)
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

return deferred_reads
