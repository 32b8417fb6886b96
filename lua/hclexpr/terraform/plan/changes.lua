-- Lists the changes of a plan when its walk is done: for each planned instance the decision that was made on it (change.lua), then the
-- other objects of the state, which are deleted or forgotten, and the outputs of the root. The text of a plan, its JSON and the API show
-- this list. (module/change.lua is something else: it changes files.)
local lazy = require "hclexpr.lazy"
local addresses = lazy "hclexpr.terraform.read.addresses"
local certain = require("hclexpr.check").certain
local change = lazy "hclexpr.terraform.plan.change"
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local Findings = require "hclexpr.terraform.language.findings"
local instances = require "hclexpr.terraform.instance.instances"
local keeping = lazy "hclexpr.terraform.plan.keeping"
local naming = require "hclexpr.terraform.language.naming"
local State = lazy "hclexpr.terraform.plan.state"
local typed_values = lazy "hclexpr.terraform.schema.typed_values"

local changes = {}

---@class hclexpr.module.Change what a plan does with one object
---@field address string
---@field module string the address of its module
---@field path { name: string, key: integer|string|false }[] the calls that lead to its module
---@field mode string
---@field type string
---@field name string
---@field key integer|string|false
---@field action? hclexpr.module.Action nil if it is ephemeral
---@field reason? "tainted"|"triggers"|"requested"|"paths"|"no_resource"|"no_module"|"no_move_target"|"count"|"each"|"single"|"disabled"
---|"repetition"|"deposed"
---@field entry? table its entry in the state
---@field previous_address? string its address in the state, if that differs
---@field create_before_destroy? boolean of a "replace": the new object is created first
---@field schema? table the `block` in its schema
---@field schema_version integer
---@field declaration? hclexpr.module.Declaration
---@field instance? hclexpr.module.Instance of a planned instance: the instance of its module
---@field expansion? hclexpr.module.Expansion of a planned instance
---@field decision? hclexpr.module.Decision on a planned instance
---@field config? hclexpr.module.Config of its module, if its declaration was evaluated but doesn't plan an instance for this object
---@field stays? boolean of an object that a destroy run deletes: another plan would leave it as it is

-- The order of changes is that of Terraform's list. "No key" comes before numbers, and numbers come before strings.

local ranks = { boolean = 1, number = 2, string = 3 }

local function compare_keys(a, b)
  local x, y = ranks[type(a)], ranks[type(b)]
  if x ~= y then return x - y end
  if a == b then return 0 end
  return a < b and -1 or 1
end

local function compare_texts(a, b)
  if a == b then return 0 end
  return a < b and -1 or 1
end

local function compare_paths(a, b)
  if #a ~= #b then return #a - #b end
  for i, step in ipairs(a) do
    local found = compare_texts(step.name, b[i].name)
    if found == 0 then found = compare_keys(step.key, b[i].key) end
    if found ~= 0 then return found end
  end
  return 0
end

-- Returns the rank of each module by its address. Modules are far fewer than changes, and comparing their paths takes most of the time.
local function ranks_of_modules(list)
  local paths, modules, placed = {}, {}, {}
  for _, one in ipairs(list) do
    if not paths[one.module] then paths[one.module], modules[#modules + 1] = one.path, one.module end
  end
  table.sort(modules, function(a, b) return compare_paths(paths[a], paths[b]) < 0 end)
  for i, module in ipairs(modules) do placed[module] = i end
  return placed
end

--- Sorts changes in place and returns them.
---@param list hclexpr.module.Change[]
---@return hclexpr.module.Change[]
function changes.sort(list)
  local placed = ranks_of_modules(list)
  table.sort(list, function(a, b)
    local x, y = placed[a.module], placed[b.module]
    if x ~= y then return x < y end
    if a.mode ~= b.mode then return a.mode < b.mode end -- data comes before managed
    if a.type ~= b.type then return a.type < b.type end
    if a.name ~= b.name then return a.name < b.name end
    local found = compare_keys(a.key, b.key)
    return (found ~= 0 and found or compare_texts(a.entry and a.entry.deposed or "", b.entry and b.entry.deposed or "")) < 0
  end)
  return list
end

-- Planned instances

--- Finds the resources whose new objects are created before the old ones are destroyed: those with create_before_destroy, and those that
--- they need.
---@param walk hclexpr.module.Walk
---@return table<hclexpr.module.Node, true>
function changes.early(walk)
  local early, stack, seen, targets = {}, {}, {}, walk.run.targets
  for _, node in ipairs(walk.graph:of_list "resources") do
    local lifecycle = (not targets or targets.nodes[node]) and node.declaration.lifecycle
    if lifecycle and lifecycle.create_before_destroy then stack[#stack + 1] = node end
  end
  while stack[1] do
    local node = table.remove(stack)
    if not seen[node] then
      seen[node] = true
      if node.kind == "resource" then early[node] = true end
      for _, needed in ipairs(walk.graph:needs(node)) do stack[#stack + 1] = needed end
    end
  end
  return early
end

local function planned_change(of, key)
  local declaration, decision = of.declaration, of.expansion.decisions and of.expansion.decisions[key]
  local entry, action = decision and decision.entry, change.action(of.mode, decision)
  local made = {
    address = naming.within(of.module, naming.instance(declaration.address, key)), module = of.module, path = of.path, mode = of.mode,
    type = of.type, name = of.name, key = key, action = action, reason = decision and decision.reason, entry = entry,
    schema = of.schema, schema_version = of.schema_version, declaration = declaration, instance = of.instance, expansion = of.expansion,
    decision = decision,
  }
  local was = entry and State.address(entry)
  made.previous_address = was ~= made.address and was or nil
  return made
end

-- Groups the planned instances of a resource in an instance of its module; returns nil if none is planned.
local function group_of(walk, node, instance)
  local declaration = node.declaration
  local expansion = instance.resources[declaration.address]
  if not expansion or expansion.keys[1] == nil then return nil end
  local row = walk.evaluation.schema_row(declaration)
  local of = { path = instances.steps(instance), module = instance.address, mode = declaration.mode, type = declaration.type,
               name = declaration.name, key = false, schema = row and row.block, schema_version = row and row.version or 0,
               declaration = declaration, instance = instance, expansion = expansion, list = {} }
  for _, key in ipairs(expansion.keys) do
    local is_planned = expansion.instances[key] ~= nil and not (expansion.left and expansion.left[key])
    if is_planned then of.list[#of.list + 1] = planned_change(of, key) end
  end
  return of.list[1] and of or nil
end

-- Returns the changes of all planned instances, in order. Sorts only the resources, because the keys of each resource are already in order.
local function planned_changes(walk)
  local all, list, early = {}, {}, nil
  for _, node in ipairs(walk.graph:of_list "resources") do
    for _, instance in ipairs(walk.instances[node.config] or {}) do all[#all + 1] = group_of(walk, node, instance) end
  end
  for _, of in ipairs(changes.sort(all)) do
    for _, one in ipairs(of.list) do
      if one.action == "replace" then
        early = early or changes.early(walk)
        one.create_before_destroy = early[walk.graph:node(one.instance.config, one.declaration.address)]
      end
      list[#list + 1] = one
    end
  end
  return list
end

-- Objects that are deleted or forgotten

local function has_key(expansion, key)
  for _, known in ipairs(expansion.keys) do
    if known == key then return true end
  end
  return false
end

-- Returns the module that steps lead to, or nil if the module isn't declared; and the instance of the module, nil if the instance doesn't
-- exist, or false if that isn't known.
local function module_at(walk, steps)
  local config, instance = walk.module.root, walk.root
  for _, step in ipairs(steps) do
    local parent = config
    config = config.children[step.name]
    if not config then return nil, nil end
    local expansion = instance and instance.children[step.name]
    if expansion and has_key(expansion, step.key) and not expansion.instances[step.key] then instance = false
    elseif expansion and expansion.mode ~= "unknown" and walk:outcome(walk.graph:node(parent, naming.call(step.name))) == "done" then
      instance = expansion.instances[step.key]
    elseif instance then instance = false end
  end
  return config, instance
end

local by_mode = { count = "count", for_each = "each", single = "single" }

--- Returns the reason why an instance of a resource no longer exists, or nil if no reason is known.
---@param walk hclexpr.module.Walk
---@param steps table[] of its module
---@param address string of the resource in its module
---@param key integer|string|false
---@return "no_module"|"no_resource"|"count"|"each"|"single"|"disabled"|nil reason
---@return hclexpr.module.Declaration? declaration its declaration, even if the instance still exists
---@return hclexpr.module.Config? config of its module
---@return hclexpr.module.Expansion? planned the evaluated instances of the resource, if this one is among them
function changes.reason(walk, steps, address, key)
  local config, instance = module_at(walk, steps)
  local declaration = config and config.folder.resources[address]
  -- Reference: an object without a declared resource is deleted, whatever happens to its module.
  if instance == false then return config and not declaration and "no_resource" or nil, declaration, config end
  if not instance then return "no_module", declaration, config end
  if not declaration then return "no_resource", nil, config end
  local expansion = instance.resources[address]
  if not expansion then return nil, declaration, config end
  if has_key(expansion, key) then return nil, declaration, config, expansion end
  return expansion.disabled and "disabled" or by_mode[expansion.mode], declaration, config
end

-- Returns true if no object of a resource was evaluated, because the resource failed as a whole or something that it needs failed.
local function is_idle(walk, config, declaration)
  local node = declaration and config and walk.graph:node(config, declaration.address)
  return node ~= nil and (walk.stuck[node] ~= nil or walk:outcome(node) == "skipped")
end

-- Returns the set of addresses without keys that `removed` blocks with destroy = false name.
local function forgotten_in(root)
  local found = {}
  for _, config in ipairs(dependencies.modules(root)) do
    for _, d in ipairs(config.folder.others) do
      if d.kind == "removed" and d.from and d.destroy == false then
        found[addresses.within(config.address, d.from)] = true
      end
    end
  end
  return found
end

-- Returns true if a set of addresses without keys contains a resource, or a module around it.
local function is_within(found, steps, address)
  local module = ""
  for _, step in ipairs(steps) do
    module = naming.within(module, naming.call(step.name))
    if found[module] then return true end
  end
  return found[naming.within(module, address)] ~= nil
end

--- Returns a function that says whether the state only forgets an object that isn't planned any more: because of a `removed` block, or
--- because its resource has `destroy = false`.
---@param walk hclexpr.module.Walk
---@return fun(steps: table[], address: string, declaration?: hclexpr.module.Declaration): boolean forgets steps and address: of the
--- resource, after all moves
function changes.forgetting(walk)
  local forgotten = forgotten_in(walk.module.root)
  return function(steps, address, declaration)
    return change.is_kept(declaration) or is_within(forgotten, steps, address)
  end
end

local key_types = { count = "number", each = "string" }

-- Returns the reason why an object of the state is deleted. `reason` is the result of changes.reason.
local function reason_to_go(one, reason, declaration)
  if one.entry.deposed then return "deposed" end
  -- Reference: if the resource isn't declared, that is the reason, even if the module isn't called either.
  if not declaration then return one.previous_address and "no_move_target" or "no_resource" end
  local wanted = key_types[reason]
  return wanted and type(one.key) ~= wanted and "repetition" or reason
end

-- Makes the Change of an entry in the state that isn't planned. Its address is the one to which the entry was moved, if that is free or the
-- entry is deposed.
local function left_change(walk, entry, taken, places)
  local row = walk.evaluation.provider_at(naming.with_other_host(State.provider(entry))):row_of_type(entry.mode, entry.type)
  local steps = entry.module ~= "" and addresses.module_steps(entry.module) or nil
  local made = { address = State.address(entry), module = entry.module, path = steps or {}, mode = entry.mode, type = entry.type,
                 name = entry.name, key = entry.key, entry = entry, schema = row and row.block, schema_version = row and row.version or 0 }
  local place = places[entry] or places[entry.left] or walk.run.state:moved(entry, made.path)
  local address = naming.place(place)
  if (steps or entry.module == "") and address ~= made.address and (entry.deposed or not taken[address]) then
    made.previous_address, made.address = made.address, address
    made.module, made.path, made.key = naming.module(place.steps), place.steps, place.key
    made.type, made.name = place.address:match "([^.]+)%.([^.]+)$"
  end
  return made
end

-- Functions for the modes of a run. Each decides what happens to an entry of the state that isn't planned, and returns whether that is a
-- change. `forgets` is the function from changes.forgetting.
local settle = {}

-- In a normal run, an object that isn't planned is deleted or forgotten, unless it is outside of the targets. If its resource is declared,
-- the resource must have been evaluated, unless the object is deposed.
function settle.normal(walk, one, forgets)
  local targets = walk.run.targets
  -- If the two differ, the entry's address names a module that can't exist.
  if naming.module(one.path) ~= one.module then one.reason = "no_resource" else
    local address = one.type .. "." .. one.name
    local reason, declaration, config, planned = changes.reason(walk, one.path, address, one.key)
    local node = declaration and config and walk.graph:node(config, declaration.address) or nil
    if targets and not targets:hold(node, one.path, address, one.key, reason == "no_module") then return false end
    local is_idle_now = is_idle(walk, config, declaration)
    if not one.entry.deposed and (not reason or is_idle_now) then
      local is_refreshed = planned and not is_idle_now and not (planned.unrefreshed and planned.unrefreshed[one.key])
      one.declaration, one.config = planned and declaration or nil, is_refreshed and config or nil
      return false
    end
    one.declaration, one.reason = declaration, reason_to_go(one, reason, declaration)
    if declaration and declaration.type == one.entry.type and not one.schema then one.schema = walk.evaluation.schema_of(declaration) end
  end
  one.action = forgets(one.path, one.type .. "." .. one.name, one.declaration) and "forget" or "delete"
  return true
end

-- Sets the declaration of an object that isn't planned and, if its instance was evaluated, the Config of the declaration.
local function declare(walk, one)
  local address, targets = one.type .. "." .. one.name, walk.run.targets
  local _, declaration, config, planned = changes.reason(walk, one.path, address, one.key)
  one.declaration = declaration
  if not planned or one.entry.deposed then return end
  local in_turn = not targets or targets:hold(walk.graph:node(config, declaration.address), one.path, address, one.key)
  one.config = in_turn and config or nil
end

-- A destroy run deletes or forgets all objects. With targets it deletes only some, which are found later for all objects together.
function settle.destroy(walk, one)
  declare(walk, one)
  one.previous_address, one.reason = nil, one.entry.deposed and "deposed" or nil
  if one.declaration and not one.schema then one.schema = walk.evaluation.schema_of(one.declaration) end
  one.action = change.is_kept(one.declaration) and "forget" or "delete"
  return true
end

-- In a refresh-only run an object stays; a move counts as a change, unless the object is deposed.
settle["refresh-only"] = function(walk, one)
  declare(walk, one)
  one.action = "no-op"
  return one.previous_address ~= nil and not one.entry.deposed
end

-- Adds everything that a resource needs, directly or indirectly, to a set of addresses without keys.
local function add_needs(walk, own, found)
  local stack, seen = { own }, {}
  while stack[1] do
    local node = table.remove(stack)
    if not seen[node] then
      seen[node] = true
      if node ~= own and node.kind == "resource" and node.declaration.mode ~= "ephemeral" then
        found[naming.within(node.config.address, node.declaration.address)] = true
      end
      for _, needed in ipairs(walk.graph:needs(node)) do stack[#stack + 1] = needed end
    end
  end
end

--- Returns the dependencies of an object in the state, as addresses without keys: those in the configuration and, if the object changes,
--- those that the state has for it.
---@param walk hclexpr.module.Walk
---@param one hclexpr.module.Change
---@return table<string, true>
function changes.dependencies(walk, one)
  local found = {}
  local stays = one.instance and one.action == "no-op" or one.stays
  for _, address in ipairs(not stays and one.entry.depends_on or {}) do found[address] = true end
  local config = (stays or walk.run.refresh) and (one.instance and one.instance.config or one.config)
  local node = config and walk.graph:node(config, one.declaration.address)
  if node then add_needs(walk, node, found) end
  return found
end

local function resource_address(one)
  return naming.without_keys(naming.within(one.module, naming.resource(one.mode, one.type, one.name)))
end

-- Returns true if two changes are in different instances of the same module. Reference: such changes don't depend on each other.
local function are_apart(one, other)
  return one.module ~= other.module and naming.without_keys(one.module) == naming.without_keys(other.module)
end

local function note(lists, key, element)
  lists[key] = lists[key] or {}
  table.insert(lists[key], element)
end

-- Calls visit(one, other) for each deleted object that depends on another object, or on data that was read.
local function each_dependency(walk, list, data, visit)
  local at = {}
  for _, all in ipairs { list, data } do
    for _, other in ipairs(all) do note(at, resource_address(other), other) end
  end
  for _, one in ipairs(list) do
    for address in pairs(changes.dependencies(walk, one)) do
      for _, other in ipairs(at[address] or {}) do
        if not are_apart(one, other) then visit(one, other) end
      end
    end
  end
end

-- Marks everything that follows from marked objects. `following` has the list of what follows from each.
local function spread(marked, following)
  local stack = {}
  for one in pairs(marked) do stack[#stack + 1] = one end
  while stack[1] do
    for _, other in ipairs(following[table.remove(stack)] or {}) do
      if not marked[other] then marked[other], stack[#stack + 1] = true, other end
    end
  end
  return marked
end

-- In a destroy run, finds the targets and everything that depends on them. `data` is the data that was read.
local function targeted(walk, list, data)
  local chosen, dependents = {}, {}
  for _, all in ipairs { list, data } do
    for _, one in ipairs(all) do
      chosen[one] = walk.run.targets:names(one.path, naming.resource(one.mode, one.type, one.name), one.key) or nil
    end
  end
  each_dependency(walk, list, data, function(one, other) note(dependents, other, one) end)
  return spread(chosen, dependents)
end

--- Returns true if prevent_destroy forbids a run to destroy an object.
---@param one hclexpr.module.Change
---@return boolean
function changes.is_prevented(one)
  return one.action == "delete" and not one.entry.deposed and change.prevents_destruction(one.declaration)
end

-- In a destroy run, finds objects that must stay because an object that depends on them must not be destroyed.
local function held_back(walk, list)
  local prevented, held, needs = {}, {}, {}
  for _, one in ipairs(list) do
    if changes.is_prevented(one) then prevented[#prevented + 1] = one end
  end
  if not prevented[1] then return held end
  each_dependency(walk, list, {}, function(one, other) note(needs, one, other) end)
  for _, one in ipairs(prevented) do
    for _, other in ipairs(needs[one] or {}) do held[other] = true end
  end
  return spread(held, needs)
end

-- In a destroy run, returns the objects that it deletes, and adds the others to `rest`.
local function with_turns(walk, list, data, rest)
  local function divide(all, is_in)
    local kept = {}
    for _, one in ipairs(all) do
      local into = is_in(one) and kept or rest
      into[#into + 1] = one
    end
    return kept
  end
  local chosen = walk.run.targets and targeted(walk, list, data)
  if chosen then list = divide(list, function(one) return chosen[one] end) end
  local held = held_back(walk, list)
  return next(held) and divide(list, function(one) return not held[one] end) or list
end

-- For a run that doesn't plan instances, returns the data that was read. Records in `places` where moves lead the objects of the state, and
-- in `stays` whether each would remain unchanged.
local function read_data(list, places, stays)
  local data = {}
  for _, one in ipairs(list) do
    local nested = one.decision and one.decision.deferred == "read_because_check_nested"
    if one.mode == "data" and (one.action == "no-op" or nested) then data[#data + 1] = one end
    if one.entry then
      stays[one.entry] = one.action == "no-op"
      places[one.entry] = { steps = one.path, address = one.type .. "." .. one.name, key = one.key }
    end
  end
  return data
end

-- Adds to `rest` data in the state that a partial, failed, destroy or refresh-only run doesn't evaluate. Such data stays.
local function add_unread(walk, planned, rest)
  local had_turn, run = {}, walk.run
  for _, one in ipairs(planned) do had_turn[one.address] = one.mode == "data" end
  for _, entry in ipairs(run.state.data) do
    local one = left_change(walk, entry, {}, {})
    local address = naming.resource(one.mode, one.type, one.name)
    local reason, declaration, config, expansion = changes.reason(walk, one.path, address, one.key)
    local node = declaration and config and walk.graph:node(config, declaration.address) or nil
    local is_in = not run.targets or run.targets:hold(node, one.path, address, one.key, reason == "no_module")
    local has_turn = is_in and (run.refresh or run.mode == "normal") and not is_idle(walk, config, declaration)
    local may_stay = not has_turn or not (reason or expansion and keeping.is_lost(walk, expansion, one.key))
    if may_stay and not had_turn[one.address] then rest[#rest + 1] = one end
  end
end

--- Returns all changes, in order: in a normal run those of planned instances, and in every run those of the state's other objects, such as
--- deletions. If a limit ended the walk, nothing is deleted.
---@param walk hclexpr.module.Walk
---@return hclexpr.module.Change[] list
---@return hclexpr.module.Change[] rest objects that stay without a change
function changes.all(walk)
  local all, rest, state, mode = planned_changes(walk), {}, walk.run.state, walk.run.mode
  local list = all
  local places, from, stays = {}, {}, {}
  if state then places, from = state:left_behind(walk) end
  if mode ~= "normal" then list, rest = {}, read_data(list, places, stays) end
  if not state then return list, rest end
  local claimed, taken, forgets, planned, data = {}, {}, nil, #list, rest
  for _, one in ipairs(list) do
    one.previous_address = one.previous_address or from[one.address]
    if one.entry then claimed[one.entry] = true end
    taken[one.address] = true
  end
  for _, entries in ipairs { state.managed, state.deposed } do
    for _, entry in ipairs(entries) do
      if not claimed[entry] then
        forgets = forgets or changes.forgetting(walk)
        local one = left_change(walk, entry, taken, places)
        one.stays = stays[entry]
        local into = not walk.exhausted and settle[mode](walk, one, forgets) and list or rest
        into[#into + 1] = one
      end
    end
  end
  if mode ~= "normal" or walk.run.targets or walk.failed then add_unread(walk, all, rest) end
  if mode == "destroy" then list = with_turns(walk, list, data, rest) end
  return #list > planned and changes.sort(list) or list, rest
end

--- Returns the value before a change, with the marks of its schema, or nil if the object is new.
---@param walk hclexpr.module.Walk
---@param one hclexpr.module.Change
---@return hclexpr.Value?
function changes.before(walk, one)
  local before = one.decision and one.decision.before or not one.instance and walk.run.state:values(one.entry, one.schema)
  return before and change.object_of(before, one.schema) or nil
end

-- Returns true if a plan of this module may make the state forget an object.
local function may_forget(walk)
  for _, node in ipairs(walk.graph:of_list "resources") do
    if change.is_kept(node.declaration) then return true end
  end
  return next(forgotten_in(walk.module.root)) ~= nil
end

--- Reports objects that a plan makes the state forget; returns nil if nothing is forgotten.
---@param walk hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function changes.lost(walk)
  if not walk.run.state or not may_forget(walk) then return nil end
  local findings, forgotten = Findings.new(true), {}
  for _, one in ipairs(changes.all(walk)) do
    if one.action == "forget" or one.decision and one.decision.forgets then forgotten[#forgotten + 1] = one.address end
  end
  if forgotten[1] then
    -- Reference: the report lacks a place.
    findings:report("MODULE_FORGOTTEN", {}, "%s%s stays, and the state forgets it.", forgotten[1],
      forgotten[2] and (", like %d more,"):format(#forgotten - 1) or "")
  end
  return findings:diagnostics()
end

--- Returns the invocations of actions, by the address of the instance that triggers them, or by the deleted entry of the state.
---@param walk hclexpr.module.Walk
---@return table<string|table, hclexpr.module.Invocation[]>
function changes.invoked(walk)
  local all = {}
  for _, of_node in pairs(walk.invocations) do
    for what, list in pairs(of_node) do all[what] = list end
  end
  return all
end

-- Outputs

local function output_action(before, after)
  if not before then return after:is_null() and "no-op" or "create" end
  if not after then return "delete" end
  if before:is_null() and after:is_null() then return "no-op" end
  local stays = typed_values.bare(before) == typed_values.bare(after) and core.is_marked(before) == core.is_marked(after)
  return stays and after:is_wholly_known() and "no-op" or "update"
end

--- Returns the planned outputs of the root, by name.
---@param walk hclexpr.module.Walk
---@return table<string, hclexpr.Value>
function changes.planned_outputs(walk)
  return walk.run.mode ~= "destroy" and walk.root.outputs or {}
end

-- Returns the state's outputs after a refresh: null ones are removed, known ones replaced.
local function refreshed(before, outputs)
  for name, value in pairs(outputs or {}) do
    if value:is_null() then before[name] = nil elseif value:is_wholly_known() then before[name] = value end
  end
  return before
end

--- Returns the decisions on the outputs of the root, by name.
---@param walk hclexpr.module.Walk
---@param outputs table<string, hclexpr.Value> as planned
---@return table<string, { action: hclexpr.module.Action, before?: hclexpr.Value, after?: hclexpr.Value }>
function changes.outputs(walk, outputs)
  local found, state, run = {}, walk.run.state, walk.run
  local before = state and state:output_values() or {}
  if run.mode == "destroy" then
    local all = run.targets and {} or refreshed(before, walk.root.outputs)
    for name, value in pairs(all) do found[name] = { action = "delete", before = value } end
    return found
  end
  for name, value in pairs(outputs) do
    local after = value:is_wholly_known() and value or certain(core.as_data(value))
    found[name] = { action = output_action(before[name], after), before = before[name], after = after }
  end
  for name, value in pairs(run.targets and {} or before) do
    -- If a declared output lacks a value, it failed.
    if not walk.module.root.folder.outputs[name] then found[name] = { action = "delete", before = value } end
  end
  return found
end

return changes
