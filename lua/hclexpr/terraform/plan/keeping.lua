-- Handles objects that a run leaves as they are: instances outside of its targets, and all managed objects in a refresh-only run.
-- Expressions see their values from the state. Data that a refresh-only run can't read yet is removed from the state.
local change = require "hclexpr.terraform.plan.change"
local core = require "hclexpr.core"
local instances = require "hclexpr.terraform.instance.instances"
local naming = require "hclexpr.terraform.language.naming"

local keeping = {}

local key_types = { single = "boolean", count = "number", for_each = "string" }

-- Returns the entries in the state for a resource in an instance of its module, by key. `mode` is that of the resource's expansion.
local function entries_of(walk, instance, declaration, mode)
  local entries, state = {}, walk.run.state
  local address = naming.within(instance.config.address, declaration.address)
  for _, one in ipairs(state and state:entries_of(address) or {}) do
    local key, module = one.place.key, naming.module(one.place.steps)
    if module == instance.address and type(key) == key_types[mode] then entries[key] = one.entry end
  end
  return entries
end

--- Returns a function that says whether the run leaves the instance with a key as it is, or nil if the run plans all instances.
---@param walk hclexpr.module.Walk
---@param node hclexpr.module.Node|table the step of the resource
---@param instance hclexpr.module.Instance
---@return (fun(key: integer|string|false): boolean)?
function keeping.of(walk, node, instance)
  local run, declaration = walk.run, node.declaration
  if run.mode == "refresh-only" and declaration.mode == "managed" then return function() return true end end
  local targets, of = run.targets, walk.graph:node(instance.config, node.key)
  if not targets or not (of and targets.named[of]) then return nil end
  local steps = instances.steps(instance)
  return function(key) return not targets:hold(of, steps, declaration.address, key) end
end

--- Returns true if a run that doesn't plan instances evaluates an instance of a managed resource.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@param key integer|string|false
---@return boolean
function keeping.has_turn(walk, declaration, instance, key)
  local targets, node = walk.run.targets, walk.graph:node(instance.config, declaration.address)
  return not targets or targets:hold(node, instances.steps(instance), declaration.address, key)
end

-- Returns the value of a resource's instance in the state, or nil.
local function value_of(walk, declaration, entry)
  if not entry then return nil end
  local schema = walk.evaluation.schema_of(declaration)
  return change.object_of(walk.run.state:values(entry, schema), schema)
end

local waiting = { read_because_config_unknown = true, read_because_dependency_pending = true }

--- Returns true if data is removed from the state, because only an apply could read it and a refresh-only run doesn't apply.
---@param walk hclexpr.module.Walk
---@param expansion hclexpr.module.Expansion of the data
---@param key integer|string|false
---@return boolean
function keeping.is_lost(walk, expansion, key)
  local decision = expansion.decisions and expansion.decisions[key]
  return walk.run.mode == "refresh-only" and decision ~= nil and waiting[decision.deferred] == true
end

--- Returns the instances of a resource as expressions see them if the run leaves some as they are: the planned ones, and those in the
--- state. A single instance without a value is unknown. Sets `left` of the expansion to the keys of the instances that are left. In the
--- result, lacks(key) is true if a key without a value isn't an element at all; a gap among numbers is an element, and unknown.
---@param walk hclexpr.module.Walk
---@param instance hclexpr.module.Instance
---@param declaration hclexpr.module.Declaration
---@param expansion hclexpr.module.Expansion
---@param leaves? fun(key: integer|string|false): boolean
---@return hclexpr.module.Expansion|{ lacks: fun(key: integer|string|false): boolean }
function keeping.among_names(walk, instance, declaration, expansion, leaves)
  local entries, all, keys, left, number = entries_of(walk, instance, declaration, expansion.mode), {}, {}, {}, 0
  local function put(key, value)
    if value == nil then return end
    keys[#keys + 1], all[key] = key, value
    number = type(key) == "number" and math.max(number, key + 1) or math.max(number, #keys)
  end
  for _, key in ipairs(expansion.keys) do
    local value, is_lost = expansion.instances[key], keeping.is_lost(walk, expansion, key)
    left[key] = is_lost or leaves and leaves(key) or nil
    if left[key] then value = not is_lost and value_of(walk, declaration, entries[key]) or nil end
    put(key, value)
    entries[key] = nil
  end
  for key, entry in pairs(entries) do
    if leaves and leaves(key) then put(key, value_of(walk, declaration, entry)) end
  end
  if expansion.mode ~= "single" then
    local values = all
    all = core.family(expansion.mode == "count" and "numbers" or "names", number)
    for key, value in pairs(values) do all[key] = value end
  end
  expansion.left = left
  local absent = expansion.mode == "single" and not expansion.disabled and keys[1] == nil
  return { mode = absent and "unknown" or expansion.mode, keys = keys, values = expansion.values, instances = all,
           disabled = expansion.disabled, lacks = function(key)
             return type(key) == "string" or type(key) == "number" and key >= number
           end }
end

return keeping
