-- Decides what a plan does with one instance: its action. The decision is made when the walk evaluates the instance, and only then:
-- plan_instance.lua asks the provider and sets the reason, and this file decides the action. Questions about the whole plan, such as its
-- order and deletions, are settled after the walk, in changes.lua. (module/change.lua is something else: it changes files.)
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local written = require "hclexpr.terraform.providers.written"

local change = {}

---@alias hclexpr.module.Action
---| "create" it doesn't exist yet
---| "update" it exists, and parts of it will change or become secret
---| "replace" a new object replaces it
---| "no-op" it stays as it is; data: it was read
---| "delete" it will be destroyed
---| "forget" it remains, but the state forgets it
---| "read" data: it wasn't read, or an apply reads it again
---| "import" it exists, and only its provider knows whether any of it will change

---@class hclexpr.module.Decision stored for instances that don't have the usual action "create", or "read" of data (Expansion.decisions)
---@field action hclexpr.module.Action
---@field entry? table its entry in the state
---@field before? table<string, hclexpr.Value>
---@field importing? hclexpr.Value the id by which it is imported
---@field reason? "tainted"|"triggers"|"requested"|"paths" of a "replace", or of a "create" that would be a replacement
---@field forgets? boolean of a "replace": the state only forgets the old object
---@field paths? string[][] the attributes that cause the replacement
---@field triggered? boolean something in replace_triggered_by changes
---@field deferred? string of data: why only an apply reads it, or reads it again
---@field shown? table<string, hclexpr.Value> of data that couldn't be read and that an apply reads again: what is known until then
---@field unread? boolean of data: neither a provider nor a state gave its values

local usual = { managed = "create", data = "read" }

--- Returns the action in the decision on an instance, or nil for an ephemeral resource.
---@param mode string of its resource
---@param decision? hclexpr.module.Decision
---@return hclexpr.module.Action?
function change.action(mode, decision)
  return decision and decision.action or usual[mode]
end

--- Returns true if a resource has `destroy = false`. The state then only forgets objects that would otherwise be destroyed.
---@param declaration? hclexpr.module.Declaration
---@return boolean
function change.is_kept(declaration)
  local lifecycle = declaration and declaration.lifecycle
  return lifecycle ~= nil and lifecycle.destroy == false
end

--- Returns true if a resource doesn't allow plans that would destroy it.
---@param declaration? hclexpr.module.Declaration
---@return boolean
function change.prevents_destruction(declaration)
  local lifecycle = declaration and declaration.lifecycle
  return lifecycle ~= nil and lifecycle.prevent_destroy == true
end

--- Makes an object from values in a state, and adds the marks of the schema, because a state may lack them.
---@param values table<string, hclexpr.Value>
---@param schema? table
---@return hclexpr.Value
function change.object_of(values, schema)
  local value = core.value(values)
  return schema and core.value(proposed_new.parts(prepared_schemas.of(schema), value, value)) or value
end

local function changes_secrecy(planned)
  if planned.schema then
    return not typed_values.same_secrecy(core.value(planned.values), change.object_of(planned.prior, planned.schema))
  end
  for name, value in pairs(planned.values) do
    if planned.prior[name] and not typed_values.same_secrecy(core.as_written(value), planned.prior[name]) then return true end
  end
  return false
end

--- Returns true if the planned value differs from the prior one.
---@param planned hclexpr.module.Planned with a prior value
---@return boolean
function change.differs(planned)
  for name, value in pairs(planned.values) do
    local before = planned.prior[name]
    if before and not planned.schema then
      before = certain(core.as_written(before)) -- a test's state has the values that were applied
      -- In a state a block has all its parts, even those that aren't written.
      if written.is_block(planned, name) then value = written.completed(value, before) else value = certain(core.as_written(value)) end
    end
    if not before or typed_values.bare(value) ~= typed_values.bare(before) then return true end
  end
  return false
end

--- Returns the reason why an instance is replaced regardless of its values; nil if its provider decides by the paths that differ.
---@param planned hclexpr.module.Planned with a prior value
---@return "triggers"|"requested"|nil
function change.reason_to_replace(planned)
  return planned.triggered and "triggers" or planned.walk.run.replaced[planned.address] and "requested" or nil
end

-- Returns the action for an instance. A managed instance is replaced if it is tainted or has a reason: one from change.reason_to_replace,
-- or "paths" if the provider named attributes that force a replacement (plan_instance.lua).
local function action_of(planned)
  if planned.declaration.mode == "data" then return planned.is_read and not planned.deferred and "no-op" or "read" end
  if planned.tainted or planned.reason then return "replace" end
  if planned.prior then return (change.differs(planned) or changes_secrecy(planned)) and "update" or "no-op" end
  return planned.ids and planned.ids[planned.address] and "import" or "create"
end

--- Makes the decision on a planned instance; returns nil if the instance's action is the usual one and nothing else must be stored, and for
--- an ephemeral resource.
---@param planned hclexpr.module.Planned
---@return hclexpr.module.Decision?
function change.decide(planned)
  local mode = planned.declaration.mode
  local action = usual[mode] and action_of(planned)
  if action == usual[mode] and not (planned.triggered or planned.deferred or planned.unread) then return nil end
  local managed, replaces = mode == "managed", action == "replace"
  return {
    action = action, entry = (managed or action == "read") and planned.entry or nil,
    before = managed and (planned.prior or planned.tainted) or nil,
    importing = managed and not planned.entry and planned.ids and planned.ids[planned.address] or nil,
    reason = replaces and (planned.reason or "tainted") or action == "create" and planned.triggered and "triggers" or nil,
    -- Reference: this applies only to tainted objects, not to those that are replaced for another reason.
    forgets = replaces and planned.tainted ~= nil and change.is_kept(planned.declaration) or nil,
    paths = planned.paths, triggered = planned.triggered, deferred = planned.deferred, shown = planned.shown, unread = planned.unread,
  }
end

--- Returns true if an apply will change an instance, and not only read it or leave it as it is.
---@param mode string
---@param decision? hclexpr.module.Decision
---@return boolean
function change.is_pending(mode, decision)
  return mode == "managed" and change.action(mode, decision) ~= "no-op"
end

return change
