-- Sequences: the order of what a folder declares. A call with all that is inside counts as one unit: mostly that is order enough, and a
-- folder that is called a hundred times is put in order once. Modules that feed each other have no such sequence, though their nodes may
-- have an order (order.lua).
local order = require "hclexpr.module.order"
local wants = require "hclexpr.module.wants"

local sequences = {}

-- The unit that a want is for.
local function unit_of(wanted)
  if wanted.call then return "module." .. wanted.call end
  return wanted.key:match "^(module%..*) %(close%)$" or wanted.key
end

-- Which expressions the nodes of a kind evaluate: the names of arguments, and whether bodies and rules count.
local kinds = {
  variable = { {} }, validation = { {}, rules = true }, ["local"] = { { "value" } }, output = { { "value" }, rules = true },
  call = { { "count", "for_each" }, bodies = true, providers = true }, check = { {}, rules = true }, provider = { {}, bodies = true },
  resource = { { "count", "for_each" }, bodies = true, rules = true, providers = true },
}

-- The keys of the units that one needs.
local function needed_keys(folder, kind, declaration)
  local keys, row = {}, kinds[kind]
  local function take(list)
    for _, wanted in ipairs(list) do keys[#keys + 1] = unit_of(wanted) end
  end
  local function take_attribute(attribute)
    if attribute then take(wants.of(attribute.expression)) end
  end
  for _, name in ipairs(row[1]) do take_attribute(declaration.arguments[name]) end
  take(wants.of_traversals(declaration.depends_on))
  take(wants.of_traversals(declaration.lifecycle and declaration.lifecycle.replace_triggered_by))
  for _, body in ipairs(row.bodies and declaration.bodies or {}) do take(wants.of(body)) end
  for _, body in ipairs(wants.provisioner_bodies(declaration)) do take(wants.of(body)) end
  for _, rule in ipairs(row.rules and declaration.rules or {}) do
    take_attribute(rule.condition)
    take_attribute(rule.error_message)
  end
  if kind == "validation" then keys[#keys + 1] = declaration.address end
  if declaration.child then keys[#keys + 1] = declaration.child.address end
  for _, provider in pairs(row.providers and folder.providers or {}) do keys[#keys + 1] = provider.address end
  return keys
end

-- The units of a folder by key, and as a graph that can be put in order.
local function units_of(folder)
  local units, roots = {}, {}
  for i, step in ipairs(wants.steps(folder).list) do
    if step.kind ~= "close" then
      units[step.key] = { number = i, step = step }
      roots[#roots + 1] = units[step.key]
    end
  end
  local graph = {}
  function graph.needs(_, unit)
    if unit.needs then return unit.needs end
    if folder.breathe then folder.breathe() end
    unit.needs = {}
    for _, key in ipairs(needed_keys(folder, unit.step.kind, unit.step.declaration)) do
      local needed = units[key]
      if needed and needed ~= unit then unit.needs[#unit.needs + 1] = needed end
      -- One of its outputs feeds the module itself, or would.
      if needed == unit and unit.step.kind == "call" then graph.loops = true end
    end
    return unit.needs
  end
  return graph, roots
end

--- The steps of a folder without closings, each after what it needs; false: there is no such order.
---@param folder hclexpr.module.Folder
---@return hclexpr.module.Step[]|false
function sequences.of(folder)
  local sequence = folder.sequence
  if sequence ~= nil then return sequence end
  local graph, roots = units_of(folder)
  sequence = {}
  order.each(graph, roots, function() return false end, function(component)
    if #component > 1 or graph.loops then sequence = false end
    if sequence then sequence[#sequence + 1] = component[1].step end
  end)
  folder.sequence = sequence
  return sequence
end

return sequences
