-- Writes the changes of resources and outputs for the JSON of plans.
local copied = require("hclexpr.util").copied
local core = require "hclexpr.core"
local planned_changes = require "hclexpr.terraform.plan.changes"
local rows = require "hclexpr.terraform.show.json.rows"
local trees = require "hclexpr.terraform.show.json.trees"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local changes = {}

local null = core.null

-- Trees

local function unknown_tree(parts, reveal)
  if value_parts.all_known(parts) then return {} end
  return value_parts.object(parts, value_parts.unknown, reveal)
end

local function change_tree(row, actions, before, after, reveal)
  local function known(parts) return parts and value_parts.object(rows.shown(row, parts, reveal), value_parts.known, reveal) or null end
  return {
    actions = value_parts.list(actions), before = known(before), after = known(after),
    after_unknown = after and unknown_tree(after, reveal) or {},
    before_sensitive = before and value_parts.object(before, value_parts.sensitive) or false,
    after_sensitive = after and value_parts.object(after, value_parts.sensitive) or false,
  }
end

local function head_of(row)
  local made = rows.head(row)
  made.module_address = row.module ~= "" and row.module or nil
  made.previous_address = row.previous_address
  return made
end

local function paths_tree(paths)
  if not paths then return nil end
  local list = value_parts.list()
  for i, path in ipairs(paths) do list[i] = value_parts.list(copied(path)) end
  return list
end

-- Returns the id by which an instance is imported, or nil or false.
local function import_of(row)
  return row.instance and not row.entry and row.expansion.ids and row.expansion.ids[row.address]
end

local function importing(row, reveal)
  local id = not row.entry and row.expansion.ids and row.expansion.ids[row.address]
  if not id then return nil end
  local known = value_parts.known(id, reveal)
  return known ~= nil and { id = known } or { unknown = true }
end

-- Lists of actions as in the JSON. An import counts as "create", because only its provider knows whether anything changes.
local action_lists = {
  replace = { "delete", "create" }, early = { "create", "delete" }, kept = { "create", "forget" }, import = { "create" },
}

local delete_reasons = {
  no_module = "delete_because_no_module", no_resource = "delete_because_no_resource_config",
  no_move_target = "delete_because_no_move_target", count = "delete_because_count_index", each = "delete_because_each_key",
  disabled = "delete_because_enabled_false", single = "delete_because_wrong_repetition", repetition = "delete_because_wrong_repetition",
}

local function replace_reason(decision)
  if decision.triggered then return "replace_by_triggers" end
  if decision.reason == "requested" then return "replace_by_request" end
  if decision.paths then return "replace_because_cannot_update" end
  return decision.reason == "tainted" and "replace_because_tainted" or nil
end

local function managed_tree(row, reveal)
  local action, decision = row.action, row.decision or {}
  local actions = action_lists[decision.forgets and "kept" or row.create_before_destroy and "early" or action] or { action }
  local made = head_of(row)
  made.change = change_tree(row, actions, row.before, row.after, reveal)
  made.change.importing = importing(row, reveal)
  made.change.replace_paths = paths_tree(decision.paths)
  made.action_reason = replace_reason(decision)
  return made
end

local function data_tree(row, reveal)
  local made = head_of(row)
  made.change = change_tree(row, { "read" }, nil, row.decision.shown or row.parts, reveal)
  made.action_reason = row.decision.deferred
  return made
end

local function gone_tree(row, reveal)
  local made = head_of(row)
  made.change = change_tree(row, { row.action }, row.before, row.action == "no-op" and row.before or nil, reveal)
  made.action_reason, made.deposed = delete_reasons[row.reason], row.entry.deposed
  return made
end

--- Returns true if a change is listed. Data is listed only if an apply reads it.
---@param row hclexpr.planjson.Row
---@return boolean
function changes.is_listed(row)
  return row.mode == "managed" or row.decision ~= nil and row.action == "read"
end

--- Returns the list of the changes of resources, in order, or nil; then true if one of them isn't a no-op, or if it moves or imports an
--- object; and the rows that aren't no-ops.
---@param walk hclexpr.module.Walk
---@param all hclexpr.planjson.Row[]
---@param rest hclexpr.planjson.Row[] Reference: data that was read counts as a change of a destroy plan, though it isn't listed
---@param reveal? boolean
---@return table?
---@return boolean any
---@return hclexpr.planjson.Row[] changed
function changes.of_resources(walk, all, rest, reveal)
  local listed, any, changed = {}, false, {}
  for _, row in ipairs(walk.run.mode == "destroy" and not walk.run.targets and rest or {}) do
    if row.mode == "data" then any, changed[#changed + 1] = true, row end
  end
  for _, row in ipairs(all) do
    if changes.is_listed(row) then
      listed[#listed + 1] = row
      if row.action ~= "no-op" then changed[#changed + 1] = row end
      any = any or row.action ~= "no-op" or row.previous_address ~= nil or import_of(row) and true or false
    end
  end
  return trees.list(listed, function(row)
    return (not row.instance and gone_tree or row.mode == "data" and data_tree or managed_tree)(row, reveal)
  end), any, changed
end

-- Outputs

local untyped = core.value(null)

-- Returns the known parts of an output's value, before or after the change; null if they are secret and not to be revealed; nil if the
-- value is unknown.
local function shown(value, secret, reveal)
  if secret and not reveal then return null end
  return value_parts.known(value, true)
end

local function output_tree(declared, change, reveal)
  local secret_before = change.before ~= nil and value_parts.is_secret(change.before)
  -- For a deleted output, the state says whether it is secret.
  local secret = secret_before or change.after ~= nil and value_parts.hides(declared, change.after)
  local before, after = change.before and typed_values.bare(change.before), change.after and typed_values.bare(change.after)
  local unknown = after ~= nil and not after:is_wholly_known() and (secret and not reveal or value_parts.unknown(after, true))
  return {
    actions = value_parts.list { change.action }, before = shown(before or untyped, secret, reveal),
    after = shown(after or untyped, secret, reveal), after_unknown = unknown or false, before_sensitive = secret, after_sensitive = secret,
  }
end

--- Returns the changes of the root's outputs by name; whether any of them isn't a no-op; and the names of those that aren't.
---@param walk hclexpr.module.Walk
---@param outputs table<string, hclexpr.Value> as planned
---@param reveal? boolean
---@return table<string, table>
---@return boolean any
---@return string[] changed
function changes.of_outputs(walk, outputs, reveal)
  local declared, made, changed = walk.module.root.folder.outputs, {}, {}
  for name, change in pairs(planned_changes.outputs(walk, outputs)) do
    made[name] = output_tree(declared[name], change, reveal)
    if change.action ~= "no-op" then changed[#changed + 1] = name end
  end
  table.sort(changed)
  return made, changed[1] ~= nil, changed
end

return changes
