-- Sequences: the order of what a folder declares. A call with all that is inside counts as one unit: mostly that is order enough, and a
-- folder that is called a hundred times is put in order once. Modules that feed each other have no such sequence, though their nodes may
-- have an order (order.lua).
local imports = require("hclexpr.lazy") "hclexpr.terraform.plan.imports"
local references = require "hclexpr.terraform.read.references"
local dependencies = require "hclexpr.terraform.read.dependencies"

local schedule = {}

-- What the nodes of a kind evaluate beside their arguments.
local kinds = {
  variable = {}, validation = { rules = true }, ["local"] = {}, output = { rules = true }, call = { bodies = true, providers = true },
  check = { rules = true }, provider = { bodies = true }, resource = { bodies = true, rules = true, providers = true },
  action = { providers = true },
}

---@class hclexpr.module.Unit a step of a folder, to be put in order
---@field step hclexpr.module.Step
---@field before? hclexpr.module.Unit of the rules of a variable: that of the variable itself
---@field needs? hclexpr.module.Unit[] known once it was reached
---@field done? boolean

-- units: what those who name an address need; nil for what isn't there.
local function take(needs, units, refs)
  for i = 1, #refs do
    local key = refs[i].key
    if key then needs[#needs + 1] = units[key] end
  end
end

local function take_attribute(needs, units, attribute)
  if attribute then take(needs, units, references.of(attribute.expression)) end
end

local function take_traversals(needs, units, traversals)
  if not traversals then return end
  for _, traversal in ipairs(traversals) do take(needs, units, { (references.read(traversal)) }) end
end

local function take_bodies(needs, units, bodies)
  for i = 1, #bodies do take(needs, units, references.of(bodies[i])) end
end

-- An action needs what its configuration names, unless that triggers it; a resource the actions that it triggers.
local function take_actions(needs, units, folder, declaration)
  if declaration.kind == "action" then
    local callers = dependencies.callers(folder, declaration.address)
    for _, object in ipairs(dependencies.parts(declaration)) do
      for _, ref in ipairs(references.of(object)) do
        if not callers[ref.key or ""] then take(needs, units, { ref }) end
      end
    end
  end
  for _, trigger in ipairs(declaration.triggers or {}) do
    take_attribute(needs, units, trigger.condition)
    take(needs, units, trigger.actions)
  end
end

-- The units that one needs.
local function needs_of(folder, units, unit)
  local kind, declaration = unit.step.kind, unit.step.declaration
  local needs, row, arguments = { unit.before }, kinds[kind], declaration.arguments
  if kind == "variable" then return needs end
  take_attribute(needs, units, arguments.value)
  if kind == "local" then return needs end
  if kind ~= "action" then
    take_attribute(needs, units, arguments.count)
    take_attribute(needs, units, arguments.for_each)
  end
  take_traversals(needs, units, declaration.depends_on)
  if row.bodies then
    take_traversals(needs, units, declaration.lifecycle and declaration.lifecycle.replace_triggered_by)
    take_bodies(needs, units, kind == "call" and declaration.bodies or dependencies.bodies(declaration))
    take_bodies(needs, units, dependencies.provisioner_bodies(declaration))
  end
  take_actions(needs, units, folder, declaration)
  if row.rules then
    for _, rule in ipairs(declaration.rules) do
      take_attribute(needs, units, rule.condition)
      take_attribute(needs, units, rule.error_message)
    end
  end
  if folder.others[1] then
    for _, d in ipairs(imports.into(folder, declaration.address)) do
      take_attribute(needs, units, d.arguments.for_each)
      take_attribute(needs, units, d.arguments.id)
      take_attribute(needs, units, d.arguments.identity)
    end
  end
  if declaration.child then needs[#needs + 1] = units[declaration.child.address] end
  if row.providers then
    for _, provider in pairs(folder.providers) do needs[#needs + 1] = units[provider.address] end
  end
  return needs
end

-- The units of a folder in the order of the sources, and by address. Whoever uses a variable waits for its rules.
local function units_of(folder)
  local list, units = {}, {}
  for _, step in ipairs(dependencies.steps(folder).list) do
    if step.kind ~= "close" then
      local address = step.declaration.address
      local unit = { step = step, before = step.kind == "validation" and units[address] or nil }
      list[#list + 1], units[address] = unit, unit
    end
  end
  return list, units
end

-- Depth first, with a stack of its own: `nexts` tells how many of its needs each unit on the path has seen.
local function put_in_order(folder, list, units)
  local steps, path, nexts, depth = {}, {}, {}, 0
  local function enter(unit)
    if folder.breathe then folder.breathe() end
    unit.needs = needs_of(folder, units, unit)
    depth = depth + 1
    path[depth], nexts[depth] = unit, 0
  end
  for i = 1, #list do
    if not list[i].needs then enter(list[i]) end
    while depth > 0 do
      local unit, at = path[depth], nexts[depth] + 1
      local needed = unit.needs[at]
      nexts[depth] = at
      if not needed then
        unit.done, depth = true, depth - 1
        steps[#steps + 1] = unit.step
      elseif not needed.needs then
        enter(needed)
      elseif not needed.done and (needed ~= unit or unit.step.kind == "call") then
        return false -- a circle; or one of a module's outputs feeds itself, or would
      end
    end
  end
  return steps
end

---@class hclexpr.module.Stretch: hclexpr.module.Step[] steps of one kind that follow each other
---@field kind string

-- What comes first and last: variables need nothing of their folder, and nothing there needs outputs.
local ranks = { variable = 1, output = 3 }

-- Steps in order as stretches.
local function stretches_of(steps)
  local stretches, last = { steps = #steps }, {}
  for rank = 1, 3 do
    for i = 1, #steps do
      local step = steps[i]
      if (ranks[step.kind] or 2) == rank then
        if last.kind ~= step.kind then
          last = { kind = step.kind }
          stretches[#stretches + 1] = last
        end
        last[#last + 1] = step
      end
    end
  end
  return stretches
end

--- The steps of a folder without closings, each after what it needs; false: there is no such order.
---@param folder hclexpr.module.Folder
---@return { steps: integer, [integer]: hclexpr.module.Stretch }|false
function schedule.of(folder)
  local sequence = folder.sequence
  if sequence == nil then
    local steps = put_in_order(folder, units_of(folder))
    sequence = steps and stretches_of(steps)
    folder.sequence = sequence
  end
  return sequence
end

--- The stretch that has the step of a key; nil: none.
---@param folder hclexpr.module.Folder in sequence
---@param key string
---@return hclexpr.module.Stretch?
function schedule.stretch(folder, key)
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

return schedule
