-- The needs of nodes: a function for each kind of node. It works on the whole graph (graph.lua), and on a single folder (sequence.lua),
-- where `graph` and `config` are views of that folder. (read/dependencies.lua has the part that doesn't need a Config; module/relations.lua
-- shows needs to users.)
local lazy = require "hclexpr.lazy"
local import_targets = lazy "hclexpr.terraform.graph.import_targets"
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"
local providers = lazy "hclexpr.terraform.tree.providers"

local needs = {}

local none = {}

-- `list` holds the needs found so far, `list.missing` the missing ones. Each node notes the list to which it was added, so that no node is
-- added twice. A list becomes the `needs` of a node only when complete, because an error may end the search.

-- Adds the node of a key to a list of needs. If the node doesn't exist, adds the key to the missing ones, unless may_lack is true. Returns
-- true if the node exists. With `kind`, a node of any other kind doesn't count.
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

function needs.add_all(graph, list, config, all)
  for i = 1, #all do
    local wanted = all[i]
    local call = wanted.call
    if not call then
      add(graph, list, config, wanted.key, wanted.may_lack, wanted.kind)
    elseif config.children[call] then
      local child = config.children[call]
      -- A missing output counts as a need of the whole module. So does module.m.k if the call has for_each, because k is a key then.
      -- Outputs of a missing module don't add needs: what they need is unknown, and it can't be all arguments of the call, because the
      -- arguments may need the outputs themselves.
      if not child.folder.absent and (not add(graph, list, child, wanted.key) or wanted.whole and child.call.arguments.for_each) then
        add(graph, list, config, naming.call(call) .. " (close)", true)
      end
    end
  end
end

local function add_expression(graph, list, config, attribute)
  if attribute then needs.add_all(graph, list, config, dependencies.of(attribute.expression)) end
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
  needs.add_all(graph, list, config, dependencies.of_traversals(declaration.depends_on))
  add_rules(graph, list, config, declaration)
end

function need.call(graph, list, config, declaration)
  local arguments = declaration.arguments
  add_expression(graph, list, config, arguments.count)
  add_expression(graph, list, config, arguments.for_each)
  add_expression(graph, list, config, arguments.enabled)
  needs.add_all(graph, list, config, dependencies.of_traversals(declaration.depends_on))
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
  needs.add_all(graph, list, config, dependencies.of_traversals(declaration.depends_on))
  add_expression(graph, list, config, arguments.count)
  add_expression(graph, list, config, arguments.for_each)
  add_expression(graph, list, config, arguments.enabled)
  for _, body in ipairs(dependencies.bodies(declaration)) do needs.add_all(graph, list, config, dependencies.of(body)) end
  for _, body in ipairs(dependencies.provisioner_bodies(declaration)) do needs.add_all(graph, list, config, dependencies.of(body)) end
  needs.add_all(graph, list, config, dependencies.of_traversals(declaration.lifecycle and declaration.lifecycle.replace_triggered_by))
  add_rules(graph, list, config, declaration)
  for _, trigger in ipairs(declaration.action_triggers or none) do
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

-- An action doesn't need the resource that triggers it, even if it refers to the resource, because the action is evaluated when the
-- resource triggers it.
function need.action(graph, list, config, declaration)
  local callers = dependencies.callers(config.folder, declaration.address)
  for _, object in ipairs(dependencies.parts(declaration)) do
    for _, wanted in ipairs(dependencies.of(object)) do
      if not callers[wanted.key] then needs.add_all(graph, list, config, { wanted }) end
    end
  end
  add_provider(graph, list, config, declaration)
end

function need.check(graph, list, config, declaration)
  add_rules(graph, list, config, declaration)
  if declaration.child then add(graph, list, config, declaration.child.address) end
end

function need.provider(graph, list, config, declaration)
  for _, body in ipairs(dependencies.bodies(declaration)) do needs.add_all(graph, list, config, dependencies.of(body)) end
end

--- Adds what a node needs to a list.
---@param graph hclexpr.module.Graph
---@param list hclexpr.module.Node[]
---@param node hclexpr.module.Node
function needs.add(graph, list, node)
  local config = node.config
  node.noted = list -- a node never needs itself
  if config.parent then add(graph, list, config.parent, config.call.address) end
  need[node.kind](graph, list, config, node.declaration)
end

return needs
