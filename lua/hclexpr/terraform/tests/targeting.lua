-- plan_options.target: the nodes of a module that are evaluated when only a part of it is planned.
local dependencies = require "hclexpr.terraform.read.dependencies"
local targets = require "hclexpr.terraform.tests.targets"

local targeting = {}

-- Adds a node and all that it needs.
local function add(graph, found, list, first)
  local stack = { first }
  while #stack > 0 do
    local node = table.remove(stack)
    if not found[node] then
      found[node], list[#list + 1] = true, node
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

-- Does a node need resources that were found, and no others?
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

--- The nodes that targets leave, in a list and as a set.
---@param module hclexpr.Module
---@param traversals table[]
---@return hclexpr.module.Node[] list
---@return table<hclexpr.module.Node, true> found
function targeting.nodes(module, traversals)
  local graph, found, list = module.run.graph, {}, {}
  for _, traversal in ipairs(traversals) do
    local target = targets.of_steps(traversal.steps)
    local config = module.root
    for _, name in ipairs(target and target.path or {}) do config = config and config.children[name] end
    local node = target and config and target.address and graph:node(config, target.address)
    if node then add(graph, found, list, node) end
    for _, one in ipairs(target and config and target.kind == "module" and dependencies.modules(config) or {}) do
      for _, inner in ipairs(is_below(one, config) and graph:inner_nodes(one) or {}) do
        if inner.kind == "resource" then add(graph, found, list, inner) end
      end
    end
  end
  for _, node in ipairs(graph:all()) do
    if node.config == module.root and node.kind == "output" and is_covered(graph, found, node) then add(graph, found, list, node) end
  end
  return list, found
end

return targeting
