-- Changes in the JSON of plans: what becomes of resources and outputs.
local copied = require "hclexpr.copied"
local core = require "hclexpr.core"
local naming = require "hclexpr.terraform.language.naming"
local planned_changes = require "hclexpr.terraform.plan.changes"
local rows = require "hclexpr.terraform.plan_json.rows"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local values = require "hclexpr.terraform.plan_json.values"

local changes = {}

local null = core.null

-- Actions

-- The nodes of resources that take the place of others before these go: what they need does so, too.
local function early_of(walk)
  local early, stack, seen = {}, {}, {}
  for _, node in ipairs(walk.graph:of_list "resources") do
    local lifecycle = node.declaration.lifecycle
    if lifecycle and lifecycle.create_before_destroy then stack[#stack + 1] = node end
  end
  while stack[1] do
    local node = table.remove(stack)
    if not seen[node] then
      seen[node] = true
      if node.kind == "resource" then early[node.declaration] = true end
      for _, needed in ipairs(walk.graph:needs(node)) do stack[#stack + 1] = needed end
    end
  end
  return early
end

local function same_tree(a, b)
  return core.value(a) == core.value(b)
end

-- The action of a managed resource that is planned.
local function action_of(row)
  local action = row.note and row.note.action or "create"
  -- What an import brings, only its provider knows.
  if action == "import" then return "create" end
  if action ~= "no-op" then return action end
  -- Another secrecy is a change as well.
  local before, after = values.object(row.before, values.sensitive), values.object(row.parts, values.sensitive)
  return same_tree(before, after) and action or "update"
end

-- Why something goes.

local delete_reasons = { no_module = "delete_because_no_module", count = "delete_because_count_index", each = "delete_because_each_key",
                         single = "delete_because_wrong_repetition" }
local key_types = { count = "number", each = "string" }

local function reason_to_delete(row, reason, declaration)
  if row.entry.deposed then return nil end
  if not declaration then return row.from and "delete_because_no_move_target" or "delete_because_no_resource_config" end
  local wanted = key_types[reason]
  return wanted and type(row.key) ~= wanted and "delete_because_wrong_repetition" or delete_reasons[reason]
end

-- Trees

local function unknown_tree(parts, reveal)
  if values.all_known(parts) then return {} end
  return values.object(parts, values.unknown, reveal)
end

local function change_tree(row, actions, before, after, reveal)
  local function known(parts) return parts and values.object(rows.shown(row, parts, reveal), values.known, reveal) or null end
  return {
    actions = values.list(actions), before = known(before), after = known(after),
    after_unknown = after and unknown_tree(after, reveal) or {},
    before_sensitive = before and values.object(before, values.sensitive) or false,
    after_sensitive = after and values.object(after, values.sensitive) or false,
  }
end

local function head_of(row)
  local made = rows.head(row)
  made.module_address = row.module ~= "" and row.module or nil
  made.previous_address = row.from
  return made
end

local function paths_tree(paths)
  if not paths then return nil end
  local list = values.list()
  for i, path in ipairs(paths) do list[i] = values.list(copied(path)) end
  return list
end

local function importing(row, reveal)
  local id = not row.entry and row.expansion.ids and row.expansion.ids[row.address]
  if not id then return nil end
  local known = values.known(id, reveal)
  return known ~= nil and { id = known } or { unknown = true }
end

local action_lists = { replace = { "delete", "create" }, early = { "create", "delete" }, kept = { "create", "forget" } }

local function reason_of(note)
  if note.triggered then return "replace_by_triggers" end
  if note.paths then return "replace_because_cannot_update" end
  return note.reason == "tainted" and "replace_because_tainted" or nil
end

local function managed_tree(row, early, reveal)
  local action, note = action_of(row), row.note or {}
  local actions = action_lists[action] or { action }
  if action == "replace" and early[row.declaration] then actions = action_lists.early end
  if note.forgets then actions = action_lists.kept end
  local made = head_of(row)
  made.change = change_tree(row, actions, row.before, row.after, reveal)
  made.change.importing = importing(row, reveal)
  made.change.replace_paths = paths_tree(note.paths)
  made.action_reason = reason_of(note)
  row.action = action
  return made, action
end

local function data_tree(row, reveal)
  local made = head_of(row)
  made.previous_address = nil
  made.change = change_tree(row, { "read" }, nil, row.note.shown or row.parts, reveal)
  made.action_reason = row.note.deferred
  return made
end

-- Does what the state has and no plan claims go? What is declared does so with the turn of its resource. Second, third: why, and the
-- declaration.
local function goes(walk, row)
  if naming.module(row.path) ~= row.module then return true end -- the state has it in a module that can't be
  local reason, declaration, config = planned_changes.reason(walk, row.path, row.type .. "." .. row.name, row.key)
  local node = declaration and config and walk.graph:node(config, declaration.address)
  local is_gone = row.entry.deposed or reason ~= nil and not (node and walk:outcome(node) == "skipped")
  return is_gone, reason, declaration
end

local function removed_tree(row, reason, declaration, forgets, reveal)
  local made = head_of(row)
  local forgotten = forgets(row.entry, declaration)
  made.change = change_tree(row, { forgotten and "forget" or "delete" }, row.before, nil, reveal)
  made.action_reason = reason_to_delete(row, reason, declaration)
  made.deposed = row.entry.deposed
  return made
end

--- Is a row's data source read only by an apply?
---@param row hclexpr.planjson.Row
---@return boolean
function changes.is_deferred(row)
  return row.mode == "data" and row.note ~= nil and (row.note.deferred or row.note.unread) ~= nil
end

--- The changes of resources, in order. Second: are there any but no-ops? Third: the rows that have one.
---@param walk hclexpr.module.Walk
---@param planned hclexpr.planjson.Row[]
---@param left hclexpr.planjson.Row[]
---@param reveal? boolean
---@return table[]
---@return boolean any
---@return hclexpr.planjson.Row[] changed
function changes.of_resources(walk, planned, left, reveal)
  local early, list, any, changed, of = early_of(walk), values.list(), false, {}, {}
  local all = {}
  for _, row in ipairs(planned) do
    local tree, action
    if row.mode == "managed" then tree, action = managed_tree(row, early, reveal)
    elseif changes.is_deferred(row) then tree, action = data_tree(row, reveal), "read" end
    if tree then
      all[#all + 1], of[row] = row, tree
      if action ~= "no-op" then any, changed[#changed + 1] = true, row end
      if tree.change.importing or tree.previous_address then any = true end
    end
  end
  local forgets = left[1] and planned_changes.forgetting(walk)
  for _, row in ipairs(left) do
    local is_gone, reason, declaration = goes(walk, row)
    if is_gone then
      row.declaration = declaration
      all[#all + 1], of[row], any, changed[#changed + 1] = row, removed_tree(row, reason, declaration, forgets, reveal), true, row
    end
  end
  for i, row in ipairs(rows.sort(all)) do list[i] = of[row] end
  return list, any, changed
end

-- Outputs

local untyped = core.value(null)

-- Of a value that isn't sensitive: what it is before or after.
local function shown(value, secret, reveal)
  if secret and not reveal then return null end
  return values.known(value, true)
end

local function output_tree(declared, change, reveal)
  local secret_before = change.before ~= nil and values.is_secret(change.before)
  local secret = secret_before or declared ~= nil and declared.sensitive or false
  local before, after = change.before and typed_values.bare(change.before), change.after and typed_values.bare(change.after)
  local unknown = after ~= nil and not after:is_wholly_known() and (secret and not reveal or values.unknown(after, true))
  return {
    actions = values.list { change.action }, before = shown(before or untyped, secret, reveal),
    after = shown(after or untyped, secret, reveal), after_unknown = unknown or false, before_sensitive = secret, after_sensitive = secret,
  }
end

--- The changes of the root's outputs by name. Second: are there any but no-ops? Third: the names of those.
---@param walk hclexpr.module.Walk
---@param outputs table<string, hclexpr.Value> what is planned of them
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
