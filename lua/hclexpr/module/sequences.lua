-- Sequences: the order of what a folder declares. A call with all that is inside counts as one unit: mostly that is order enough, and a
-- folder that is called a hundred times is put in order once. Modules that feed each other have no such sequence, though their nodes may
-- have an order (order.lua).
local imports = require("hclexpr.later") "hclexpr.module.imports"
local order = require "hclexpr.module.order"
local wants = require "hclexpr.module.wants"

local sequences = {}

-- Which expressions the nodes of a kind evaluate: the names of arguments, and whether bodies and rules count.
local kinds = {
  variable = { {} }, validation = { {}, rules = true }, ["local"] = { { "value" } }, output = { { "value" }, rules = true },
  call = { { "count", "for_each" }, bodies = true, providers = true }, check = { {}, rules = true }, provider = { {}, bodies = true },
  resource = { { "count", "for_each" }, bodies = true, rules = true, providers = true },
}

local function take(keys, list)
  local n = #keys
  for i = 1, #list do keys[n + i] = list[i].unit end
end

local function take_attribute(keys, attribute)
  if attribute then take(keys, wants.of(attribute.expression)) end
end

local function take_bodies(keys, bodies)
  for i = 1, #bodies do take(keys, wants.of(bodies[i])) end
end

-- The keys of the units that one needs.
local function needed_keys(folder, kind, declaration)
  local keys, row = {}, kinds[kind]
  for _, name in ipairs(row[1]) do take_attribute(keys, declaration.arguments[name]) end
  if kind == "local" or kind == "variable" then return keys end
  take(keys, wants.of_traversals(declaration.depends_on))
  if row.bodies then
    take(keys, wants.of_traversals(declaration.lifecycle and declaration.lifecycle.replace_triggered_by))
    take_bodies(keys, declaration.bodies)
    take_bodies(keys, wants.provisioner_bodies(declaration))
  end
  for _, rule in ipairs(row.rules and declaration.rules or {}) do
    take_attribute(keys, rule.condition)
    take_attribute(keys, rule.error_message)
  end
  if kind == "validation" then keys[#keys + 1] = declaration.address end
  for _, d in ipairs(folder.others[1] and imports.into(folder, declaration.address) or {}) do
    take_attribute(keys, d.arguments.for_each)
    take_attribute(keys, d.arguments.id)
  end
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
    local needs, step = unit.needs, unit.step
    if needs then return needs end
    if folder.breathe then folder.breathe() end
    needs = {}
    unit.needs = needs
    local keys = needed_keys(folder, step.kind, step.declaration)
    for i = 1, #keys do
      local needed = units[keys[i]]
      if needed and needed ~= unit then needs[#needs + 1] = needed end
      -- One of its outputs feeds the module itself, or would.
      if needed == unit and step.kind == "call" then graph.loops = true end
    end
    return needs
  end
  return graph, roots
end

---@class hclexpr.module.Stretch: hclexpr.module.Step[] steps of one kind that follow each other
---@field kind string

-- Steps in order as stretches. Variables come first: they need nothing of their folder.
local function stretches_of(steps)
  local stretches = {}
  local function add(step)
    local last = stretches[#stretches]
    if not last or last.kind ~= step.kind then
      last = { kind = step.kind }
      stretches[#stretches + 1] = last
    end
    last[#last + 1] = step
  end
  for i = 1, #steps do
    if steps[i].kind == "variable" then add(steps[i]) end
  end
  for i = 1, #steps do
    if steps[i].kind ~= "variable" then add(steps[i]) end
  end
  return stretches
end

--- The steps of a folder without closings, each after what it needs; false: there is no such order.
---@param folder hclexpr.module.Folder
---@return hclexpr.module.Stretch[]|false
function sequences.of(folder)
  local sequence = folder.sequence
  if sequence ~= nil then return sequence end
  local graph, roots = units_of(folder)
  local steps = {}
  order.each(graph, roots, function() return false end, function(component)
    if #component > 1 or graph.loops then steps = false end
    if steps then steps[#steps + 1] = component[1].step end
  end)
  sequence = steps and stretches_of(steps)
  folder.sequence = sequence
  return sequence
end

--- The stretch that has the step of a key; nil: none.
---@param folder hclexpr.module.Folder in sequence
---@param key string
---@return hclexpr.module.Stretch?
function sequences.stretch(folder, key)
  local stretch_of = folder.stretch_of
  if not stretch_of then
    stretch_of = {}
    for _, stretch in ipairs(folder.sequence) do
      for _, step in ipairs(stretch) do stretch_of[step.key] = stretch end
    end
    folder.stretch_of = stretch_of
  end
  return stretch_of[key]
end

return sequences
