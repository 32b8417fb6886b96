-- Finds which actions a change of a resource invokes, by the events of its triggers, and with which configurations.
local actions = require "hclexpr.terraform.plan.actions"
local certain = require("hclexpr.check").certain
local change = require "hclexpr.terraform.plan.change"
local planned_changes = require "hclexpr.terraform.plan.changes"
local configuration = require "hclexpr.terraform.plan.configuration"
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local deprecation = require "hclexpr.terraform.instance.deprecation"
local Findings = require "hclexpr.terraform.language.findings"
local frames = require "hclexpr.terraform.instance.frames"
local orphans = require "hclexpr.terraform.plan.orphans"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local unknown_cause = require "hclexpr.terraform.instance.unknown_cause"
local written = require "hclexpr.terraform.providers.written"

local invocations = {}

---@class hclexpr.module.Invocation
---@field address string of the action's instance
---@field type string
---@field name string
---@field key? integer|string
---@field event string "before_create"...
---@field trigger integer the number of the action_trigger block in the resource, from 1
---@field position integer the number of the action in that block, from 1
---@field on_failure "halt"|"taint"|"continue"
---@field config? hclexpr.Value the content of its `config` block
---@field shape table which parts of `config` are nested blocks
---@field declaration hclexpr.module.Declaration the action's declaration

---@class hclexpr.module.Triggering an instance of a resource that is planned, or that will be deleted
---@field decision? hclexpr.module.Decision
---@field key integer|string|false
---@field address? string its address, if the resource has several instances
---@field frame hclexpr.module.Frame
---@field self? any the instance's value; nil if it will be deleted
---@field gone? table<string, hclexpr.Value> the values of an instance that will be deleted

local happens = {
  create = { create = true }, update = { update = true }, delete = { destroy = true }, replace = { create = true, destroy = true },
}

-- Returns the events of a planned instance for its triggers. If the state only forgets an object, that doesn't count as its destruction.
local function events_of(planned)
  local decision = planned.decision
  local action = planned.gone and "delete" or decision and decision.forgets and "create" or change.action("managed", decision)
  return happens[action] or {}
end

-- Returns true if the configuration of an action that a destruction invokes is fully known and not ephemeral, or if it is unknown because
-- something is missing. Otherwise reports the mistake: the configuration isn't evaluated again later.
local function is_final(walk, action, value, frame)
  local whole = certain(core.as_written(certain(core.value(value))))
  local place = places.head_of(action)
  if configuration.contains_mark(whole, "ephemeral") then
    walk.findings:report("MODULE_EPHEMERAL", place, "A destruction invokes %s, whose configuration has an ephemeral value, which doesn't "
      .. "exist by then. Use another value.", action.address)
    return false
  end
  if whole:is_wholly_known() then return true end
  local what = { deep = true, name = "The configuration of " .. action.address, so = "what a destruction invokes", place = place,
                 row = "MODULE_UNKNOWN" }
  for _, object in ipairs(dependencies.parts(action)) do
    if unknown_cause.excuses(walk, object, { frame = frame, declaration = action }, what) then return true end
  end
  walk.findings:report("MODULE_CONFIGURED", place, "A destruction invokes %s, but its configuration is known only after an apply. Use "
    .. "values that are known before.", action.address)
  return false
end

-- Returns the configuration of an action as a plan stores it, or false if the action has no `config` block. If the configuration is wrong,
-- reports that and returns nil.
local function config_of(walk, action, instance, frame, going)
  local schema = walk.evaluation.schema_of(action)
  local value = actions.with_callers(action, instance, function() return configuration.evaluate(walk, action, schema, frame, true) end)
  if value == nil or going and not is_final(walk, action, value, frame) then return nil end
  if not action.config then return false end
  if schema then return (core.value(proposed_new.parts(prepared_schemas.of(schema), value))) end
  for name, part in pairs(value) do
    local gone = name:find "_wo$" or configuration.contains_mark(part, "ephemeral")
    value[name] = written.planned(name, part, action.bodies[1]) or not gone and part or nil
  end
  return core.as_written(certain(core.unknown("any", { attributes = value })))
end

-- Returns the invocation of an action that a trigger names. If something is wrong, reports that and returns nil.
local function invocation(walk, declaration, planned, called, going)
  local instance = planned.frame.instance
  local action, key, frame = actions.instance_of(walk, declaration, instance, planned.key, called)
  if not action or not frame or key == nil then return nil end
  local self = planned.self
  if going then
    local schema = walk.evaluation.schema_of(declaration)
    self = deprecation.mark(schema, change.object_of(planned.gone or planned.decision.before, schema))
  end
  local config = config_of(walk, action, instance, frames.with_self(walk, frame, declaration, self), going)
  if config == nil then return nil end
  return { address = naming.within(instance.address, naming.instance(action.address, key)), type = action.type, name = action.name,
           key = key or nil, config = config or nil, shape = written.shape(action, (walk.evaluation.schema_of(action))),
           declaration = action }
end

--- Evaluates the triggers of an instance of a resource.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param planned hclexpr.module.Triggering
---@return boolean sound
---@return hclexpr.module.Invocation[] list in the order of the triggers, their events and actions
function invocations.of(walk, declaration, planned)
  local sound, list, of_action = true, {}, events_of(planned)
  local frame = planned.self ~= nil and frames.with_self(walk, planned.frame, declaration, planned.self) or planned.frame
  for i, trigger in ipairs(declaration.action_triggers) do
    ---@type boolean?
    local fires = true
    if trigger.condition then
      local held = actions.holds(walk, trigger.condition.expression, frame)
      sound = sound and held ~= nil
      fires = sound and held
    end
    for _, event in ipairs(fires and trigger.events or {}) do
      local what = event:match "_(%a+)$"
      for j, called in ipairs(of_action[what] and trigger.actions or {}) do
        local found = invocation(walk, declaration, planned, called, what == "destroy")
        sound = sound and found ~= nil
        if found and sound then
          found.event, found.trigger, found.position, found.on_failure = event, i, j, trigger.on_failure
          list[#list + 1] = found
        end
      end
    end
  end
  return sound, list
end

-- Stores invocations by the node of the resource and by `what`: an address, or the entry of a deleted object in the state.
local function keep(walk, node, what, list)
  if not list[1] then return end
  local all = walk.invocations[node] or {}
  walk.invocations[node], all[what] = all, list
end

--- Plans the invocations of the planned instances of a resource.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node
---@param instance hclexpr.module.Instance
---@param planned hclexpr.module.Triggering[]
---@return boolean sound
function invocations.plan(walk, node, instance, planned)
  local sound, declaration = true, node.declaration
  for _, one in ipairs(planned) do
    walk.findings.resource = one.address
    local fine, list = invocations.of(walk, declaration, one)
    sound = fine and sound
    keep(walk, node, naming.within(instance.address, naming.instance(declaration.address, one.key)), list)
  end
  return sound
end

-- Returns the instance of the module that contained an object, or nil if it no longer exists.
local function instance_at(walk, node, place)
  local address = naming.module(place.steps)
  for _, instance in ipairs(walk.instances[node.config] or {}) do
    if instance.address == address then return instance end
  end
end

-- Warns that an object is deleted without invoking all actions of its triggers.
local function warn(walk, place, why)
  walk.findings:report("MODULE_UNINVOKED", {}, "%s is removed, but not all actions of its triggers are invoked: %s",
    naming.place(place), why)
end

local function leave_one(walk, node, one, schema)
  local place, findings = one.place, walk.findings
  local instance = instance_at(walk, node, place)
  if not instance then return warn(walk, place, "its module was removed, together with the actions.") end
  walk.findings = Findings.new()
  local sound, list = invocations.of(walk, node.declaration, { key = place.key,
    frame = frames.of_key(walk, instance, place.key), gone = walk.run.state:values(one.entry, schema) })
  local wrong = not sound and walk.findings:diagnostics()[1]
  walk.findings = findings
  if wrong then warn(walk, place, wrong.detail) end
  keep(walk, node, one.entry, list)
end

--- Plans the invocations for objects that are deleted, of a resource whose other instances are planned.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node the node of a resource with triggers
function invocations.leave(walk, node)
  local declaration = node.declaration
  local schema, forgets = walk.evaluation.schema_of(declaration), planned_changes.forgetting(walk)
  for _, one in ipairs(orphans.finally(walk, node)) do
    if not forgets(one.place.steps, one.place.address, declaration) then leave_one(walk, node, one, schema) end
  end
end

return invocations
