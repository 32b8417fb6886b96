-- Writes the values before and after a plan for its JSON.
local addresses = require "hclexpr.terraform.read.addresses"
local core = require "hclexpr.core"
local changes = require "hclexpr.terraform.show.json.changes"
local instances = require "hclexpr.terraform.instance.instances"
local naming = require "hclexpr.terraform.language.naming"
local planned_changes = require "hclexpr.terraform.plan.changes"
local rows = require "hclexpr.terraform.show.json.rows"
local trees = require "hclexpr.terraform.show.json.trees"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local value_parts = require "hclexpr.terraform.show.json.value_parts"
local versions = require "hclexpr.terraform.read.versions"

local states = {}

-- Types in the form of JSON, by their text; most outputs have one of few types.
local types = setmetatable({}, { __mode = "v" })

--- Returns a type in the form of JSON.
---@param of_type hclexpr.Type
---@return hclexpr.Value
function states.type_tree(of_type)
  local text = of_type:json()
  types[text] = types[text] or core.value(core.json_decode(text))
  return types[text]
end

--- Describes an output, with its type and value if it is wholly known.
---@param value hclexpr.Value
---@param sensitive boolean
---@param reveal? boolean
---@return table
function states.output(value, sensitive, reveal)
  local bare = typed_values.bare(value)
  if not bare:is_wholly_known() then return { sensitive = sensitive } end
  -- The type of a secret would show its keys.
  if sensitive and not reveal then return { sensitive = true, type = "dynamic", value = core.null } end
  return { sensitive = sensitive, type = states.type_tree(bare:type()), value = bare }
end

local function resource_tree(row, parts, reveal)
  local made = rows.head(row)
  made.schema_version = row.schema_version
  made.values = value_parts.object(rows.shown(row, parts, reveal), value_parts.known, reveal)
  made.sensitive_values = value_parts.object(parts, value_parts.sensitive)
  return made
end

--- Describes the planned values.
---@param walk hclexpr.module.Walk
---@param all hclexpr.planjson.Row[]
---@param outputs table<string, hclexpr.Value>
---@param reveal? boolean
---@return table
function states.planned(walk, all, outputs, reveal)
  local list, of_outputs, before = {}, {}, walk.run.state and walk.run.state:output_values() or {}
  for _, row in ipairs(all) do
    if row.parts and changes.is_listed(row) then list[#list + 1] = row end
  end
  -- Here resources are sorted by their addresses as texts.
  table.sort(list, function(a, b) return a.address < b.address end)
  for name, value in pairs(outputs) do
    local secret = value_parts.hides(walk.module.root.folder.outputs[name], value)
      or before[name] ~= nil and value_parts.is_secret(before[name])
    of_outputs[name] = states.output(value, secret, reveal)
    -- States don't store null outputs, so an untyped null that stays counts as a change.
    if not before[name] and of_outputs[name].type and value:is_null() then of_outputs[name].type = "dynamic" end
  end
  return trees.object {
    outputs = trees.object(of_outputs),
    root_module = rows.tree(list, function(row)
      return resource_tree(row, row.mode == "data" and row.decision.shown or row.parts, reveal)
    end),
  }
end

local function depends_on(walk, row)
  local list = value_parts.list()
  for address in pairs(planned_changes.dependencies(walk, row)) do list[#list + 1] = address end
  table.sort(list)
  return list[1] and list or nil
end

-- Describes a row's object before the plan.
local function prior_tree(walk, row, reveal)
  local made, entry = resource_tree(row, row.prior, reveal), row.entry
  -- A state can't have unknown values.
  for name in pairs(row.prior) do
    if made.values[name] == nil then made.values[name] = core.null end
  end
  -- An imported object has dependencies only if the state has it already or the plan leaves it as it is.
  if row.mode == "managed" and (entry or row.action == "no-op") then made.depends_on = depends_on(walk, row) end
  made.tainted = entry and entry.tainted or nil
  made.deposed_key = entry and entry.deposed
  return made
end

local function prior_outputs(walk, reveal)
  local made, before = {}, walk.run.state and walk.run.state:output_values() or {}
  local declared = walk.module.root.folder.outputs
  for name, value in pairs(before) do
    made[name] = states.output(value, value_parts.is_secret(value), reveal)
    if declared[name] and declared[name].sensitive and not reveal then made[name].type, made[name].value = "dynamic", core.null end
  end
  for name, value in pairs(walk.root.outputs or {}) do
    if value:is_null() then made[name] = nil
    elseif value:is_wholly_known() then made[name] = states.output(value, value_parts.hides(declared[name], value), reveal) end
  end
  return trees.object(made)
end

-- Returns the values of a row's object before the plan, or nil if it didn't exist.
local function prior_of(row)
  if not row.instance or row.mode ~= "data" then
    -- An object that is only imported counts as existing if its provider gives its values.
    local is_new = row.instance and not row.entry and not row.expansion.ids
    return not is_new and row.before or nil
  end
  local decision = row.decision or {}
  local waits = decision.unread or decision.deferred ~= nil and decision.deferred ~= "read_because_check_nested"
  return not waits and row.parts or nil
end

-- Returns true if data was read and its values differ from those in the state.
local function is_other(walk, row, entry)
  local before = walk.run.state:values(entry, row.schema)
  for name, part in pairs(row.instance and row.parts or {}) do
    if typed_values.bare(part) ~= typed_values.bare(before[name]) then return true end
  end
  return false
end

--- Returns true if a refresh changes the data in the state.
---@param walk hclexpr.module.Walk
---@param all hclexpr.planjson.Row[]
---@param rest hclexpr.planjson.Row[]
---@return boolean
function states.data_changes(walk, all, rest)
  local before, state = {}, walk.run.state
  for _, entry in ipairs(state and state.data or {}) do
    before[naming.place(state:moved(entry, addresses.module_steps(entry.module) or {}))] = entry
  end
  for _, list in ipairs { all, rest } do
    for _, row in ipairs(list) do
      local entry = before[row.address]
      if row.mode == "data" and prior_of(row) then
        if not entry or is_other(walk, row, entry) then return true end
        before[row.address] = nil
      end
    end
  end
  return next(before) ~= nil
end

-- Lists the paths to the modules of resources that the state has without objects, except resources that now have instances.
local function hollow_modules(walk)
  local paths = {}
  for _, one in ipairs(walk.run.state and walk.run.state.hollow or {}) do
    local steps = one.module == "" and {} or addresses.module_steps(one.module)
    local instance = steps and instances.at(walk.root, steps)
    local expansion = instance and instance.resources[one.address]
    local had_turn = expansion and expansion.keys[1] ~= nil
    paths[#paths + 1] = not had_turn and steps or nil
  end
  return paths
end

--- Describes the objects before the plan, including values that were read or computed during the plan; returns nil if nothing existed.
---@param walk hclexpr.module.Walk
---@param all hclexpr.planjson.Row[]
---@param rest hclexpr.planjson.Row[]
---@param reveal? boolean
---@return table?
function states.prior(walk, all, rest, reveal)
  local list, hollow, imported = {}, hollow_modules(walk), rows.only_imported(walk)
  for _, others in ipairs { all, rest, imported } do
    for _, row in ipairs(others) do
      row.prior = prior_of(row)
      if row.prior then list[#list + 1] = row end
    end
  end
  if rest[1] or imported[1] then planned_changes.sort(list) end
  local of_outputs = prior_outputs(walk, reveal)
  if not of_outputs and not list[1] and not hollow[1] then return nil end
  return trees.object {
    format_version = "1.0", terraform_version = versions.LANGUAGE,
    values = trees.object {
      outputs = of_outputs, root_module = rows.tree(list, function(row) return prior_tree(walk, row, reveal) end, hollow),
    },
  }
end

return states
