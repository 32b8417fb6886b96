-- Finds objects in the state that belong to a resource but not to its planned instances. Also checks lifecycle.prevent_destroy, which
-- rejects plans that would destroy an object.
local change = require "hclexpr.terraform.plan.change"
local planned_changes = require "hclexpr.terraform.plan.changes"
local Findings = require "hclexpr.terraform.language.findings"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"

local orphans = {}

-- Returns the set of entries in the state that the planned instances of a resource use.
local function claimed_by(walk, node)
  local claimed = {}
  for _, instance in ipairs(walk.instances[node.config] or {}) do
    local expansion = instance.resources[node.declaration.address]
    for _, decision in pairs(expansion and expansion.decisions or {}) do
      if decision.entry then claimed[decision.entry] = true end
    end
  end
  return claimed
end

--- Lists the objects that a run deletes or forgets because they aren't among the planned instances of their resource. A refresh-only run
--- has no such objects.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node
---@return { entry: table, place: { steps: table[], address: string, key: integer|string|false } }[]
function orphans.of(walk, node)
  local state, list = walk.run.mode ~= "refresh-only" and walk.run.state, {}
  local entries = state and state:entries_of(naming.within(node.config.address, node.declaration.address)) or list
  local claimed, targets = entries[1] and claimed_by(walk, node), walk.run.targets
  for _, one in ipairs(entries) do
    local place = one.place
    local reason = not claimed[one.entry] and planned_changes.reason(walk, place.steps, place.address, place.key)
    local is_in = not targets or targets:hold(node, place.steps, place.address, place.key, reason == "no_module")
    if reason and is_in then list[#list + 1] = one end
  end
  return list
end

--- Lists the objects of a resource that a run deletes or forgets: in a destroy run all of them, otherwise those of orphans.of.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node
---@return { entry: table, place: { steps: table[], address: string, key: integer|string|false } }[]
function orphans.finally(walk, node)
  local state = walk.run.mode == "destroy" and walk.run.state
  return state and state:entries_of(naming.within(node.config.address, node.declaration.address)) or orphans.of(walk, node)
end

--- Returns true if orphans.of finds objects of a resource.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node
---@param instance? hclexpr.module.Instance only objects in this instance of the module count
---@param key? integer|string|false only the object with this key counts
---@return boolean
function orphans.any(walk, node, instance, key)
  for _, one in ipairs(orphans.of(walk, node)) do
    local fits = key == nil or one.place.key == key
    if fits and (not instance or naming.module(one.place.steps) == instance.address) then return true end
  end
  return false
end

local function refuse(findings, declaration, address)
  findings:report("MODULE_PREVENTED", places.head_of(declaration), "This plan would destroy %s, but its lifecycle.prevent_destroy "
    .. "forbids that. Undo the change that destroys it, or remove prevent_destroy.", address)
  return false
end

--- Returns true if prevent_destroy allows the decision on a planned instance; otherwise reports that.
---@param planned hclexpr.module.Planned
---@param decision? hclexpr.module.Decision
---@return boolean
function orphans.allows(planned, decision)
  if not (decision and decision.action == "replace") or not change.prevents_destruction(planned.declaration) then return true end
  return refuse(planned.walk.findings, planned.declaration, planned.address)
end

--- Returns true if prevent_destroy allows the deletion of a resource's objects that aren't planned; otherwise reports that.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node the node of the resource; its instances are planned
---@return boolean
function orphans.allows_rest(walk, node)
  local declaration = node.declaration
  if not change.prevents_destruction(declaration) then return true end
  local forgets, sound = planned_changes.forgetting(walk), true
  for _, one in ipairs(orphans.of(walk, node)) do
    local place = one.place
    if not forgets(place.steps, place.address, declaration) then
      sound = refuse(walk.findings, declaration, naming.place(place))
    end
  end
  return sound
end

--- Reports objects that a run mustn't destroy; returns nil if it finds no such object.
---@param walk hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function orphans.prevented(walk)
  local findings = Findings.new(true)
  for _, one in ipairs((planned_changes.all(walk))) do
    if planned_changes.is_prevented(one) then refuse(findings, one.declaration, one.address) end
  end
  return findings:diagnostics()
end

return orphans
