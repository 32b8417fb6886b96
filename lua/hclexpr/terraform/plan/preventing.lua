-- lifecycle.prevent_destroy: plans that would destroy what has it are refused.
local changes = require "hclexpr.terraform.plan.changes"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"

local preventing = {}

local function prevents(declaration)
  local lifecycle = declaration.lifecycle
  return lifecycle ~= nil and lifecycle.prevent_destroy == true
end

local function refuse(walk, declaration, address)
  walk.findings:report("MODULE_PREVENTED", places.head_of(declaration), "This plan would destroy %s, which its lifecycle.prevent_destroy "
    .. "rules out. Change what destroys it, or take prevent_destroy out.", address)
  return false
end

--- May a planned instance come to what is noted of it? If not, that was reported.
---@param planned hclexpr.module.Planned
---@param note? hclexpr.module.Change
---@return boolean
function preventing.allows(planned, note)
  if not (planned.remade or note and note.action == "replace") or not prevents(planned.declaration) then return true end
  return refuse(planned.walk, planned.declaration, planned.address)
end

-- The entries of the state that the instances of a resource have.
local function claimed_by(walk, node)
  local claimed = {}
  for _, instance in ipairs(walk.instances[node.config] or {}) do
    local expansion = instance.resources[node.declaration.address]
    for _, note in pairs(expansion and expansion.noted or {}) do
      if note.entry then claimed[note.entry] = true end
    end
  end
  return claimed
end

--- May what the state has of a resource beside its instances go? If not, that was reported.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node of the resource, whose instances are planned
---@return boolean
function preventing.allows_rest(walk, node)
  local declaration, state = node.declaration, walk.module.run.state
  if not state or not prevents(declaration) then return true end
  local claimed, forgets, sound = claimed_by(walk, node), changes.forgetting(walk), true
  for _, one in ipairs(state:entries_of(naming.within(node.config.address, declaration.address))) do
    local entry, place = one.entry, one.place
    local reason = not claimed[entry] and changes.reason(walk, place.steps, place.address, place.key)
    if reason and not forgets(entry, declaration) then
      sound = refuse(walk, declaration, naming.within(naming.module(place.steps), naming.instance(place.address, place.key)))
    end
  end
  return sound
end

return preventing
