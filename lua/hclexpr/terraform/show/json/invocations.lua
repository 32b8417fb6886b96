-- Writes the invocations of actions for the JSON of plans, in the order of the changes that trigger them.
local planned_changes = require "hclexpr.terraform.plan.changes"
local core = require "hclexpr.core"
local naming = require "hclexpr.terraform.language.naming"
local providers = require "hclexpr.terraform.show.json.providers"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local invocations = {}

-- Turns the name of an event into the form of the JSON: before_create into BeforeCreate.
local function event_name(event)
  return (event:gsub("_?(%a+)", function(word) return word:sub(1, 1):upper() .. word:sub(2) end))
end

local function tree(of, row, reveal)
  local parts = of.config and value_parts.parts(core.as_written(of.config))
  return {
    address = of.address, type = of.type, name = of.name,
    provider_name = providers.full_name(of.declaration.folder, (naming.provider(of.declaration))),
    config_values = parts and value_parts.object(parts, value_parts.known, reveal) or core.null,
    config_sensitive = parts and value_parts.object(parts, value_parts.sensitive) or false,
    config_unknown = parts and value_parts.object(parts, value_parts.unknown, reveal) or false,
    lifecycle_action_trigger = {
      triggering_resource_address = row.address, action_trigger_event = event_name(of.event),
      action_trigger_block_index = of.trigger - 1, actions_list_index = of.position - 1,
      on_failure = "ActionOnFailure" .. event_name(of.on_failure),
    },
  }
end

--- Lists the invocations that the changes of rows trigger.
---@param walk hclexpr.module.Walk
---@param changed hclexpr.planjson.Row[]
---@param reveal? boolean
---@return table[]
function invocations.list(walk, changed, reveal)
  local list, invoked = value_parts.list(), planned_changes.invoked(walk)
  if next(invoked) == nil then return list end
  for _, row in ipairs(changed) do
    -- Invocations by a deleted object are found by its entry in the state.
    for _, of in ipairs(invoked[row.parts and row.address or row.entry] or {}) do list[#list + 1] = tree(of, row, reveal) end
  end
  return list
end

return invocations
