-- What a plan does: of each instance of a resource that there will be what becomes of what the state has of it; what the state has beside
-- these, which goes; and the outputs of the root.
local addresses = require "hclexpr.terraform.read.addresses"
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local Findings = require "hclexpr.terraform.language.findings"
local prepared_schemas = require "hclexpr.terraform.schema.schema_blocks"
local proposal = require "hclexpr.terraform.plan.proposal"
local State = require("hclexpr.lazy") "hclexpr.terraform.plan.state"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local naming = require "hclexpr.terraform.language.naming"

local changes = {}

---@alias hclexpr.module.Action
---| "create" there is none yet
---| "update" it is there, and something of it will be another
---| "replace" another one takes its place
---| "no-op" it stays as it is; data: it was read
---| "delete" it goes
---| "forget" the state forgets it, and it stays
---| "read" of data: it wasn't read
---| "import" it is there, and only its provider knows whether anything of it will be another

---@class hclexpr.module.Change what is noted of an instance; nothing is: "create", or "read" of data
---@field action hclexpr.module.Action
---@field entry? table what the state has
---@field before? table<string, hclexpr.Value>
---@field importing? hclexpr.Value the id
---@field reason? "tainted"|"triggers" of a "replace"
---@field forgets? boolean of a "replace": the state only forgets what is there
---@field paths? string[][] the attributes that are the cause of that
---@field triggered? boolean something changes that it is to be replaced with
---@field deferred? string of data: why it is read only by an apply, or then again
---@field shown? table<string, hclexpr.Value> of data that an apply reads again, and nobody could read: what is known of it until then
---@field unread? boolean of data: nobody read it

--- What becomes of a planned instance.
---@param planned hclexpr.module.Planned
---@param differs boolean? is something else planned than there is?
---@return hclexpr.module.Action
function changes.action(planned, differs)
  if planned.declaration.mode == "data" then return planned.is_read and "no-op" or "read" end
  if planned.tainted or planned.reason then return "replace" end
  if planned.prior then return differs and "update" or "no-op" end
  return planned.ids and planned.ids[planned.address] and "import" or "create"
end

--- Does a resource say that it isn't destroyed? Then the state only forgets what goes, and what was tainted.
---@param declaration? hclexpr.module.Declaration
---@return boolean
function changes.is_kept(declaration)
  local lifecycle = declaration and declaration.lifecycle
  return lifecycle ~= nil and lifecycle.destroy == false
end

-- Reference: of what would be replaced in any case, only what is tainted is kept.
local function only_forgets(planned)
  return planned.tainted ~= nil and changes.is_kept(planned.declaration)
end

--- What becomes of it for what it triggers: another secrecy is a change as well, and what is kept isn't destroyed.
---@param planned hclexpr.module.Planned
---@param differs boolean?
---@param value hclexpr.Value what is planned
---@return hclexpr.module.Action
function changes.triggering(planned, differs, value)
  local action, schema = changes.action(planned, differs), planned.schema
  if planned.kept then return "no-op" end
  if planned.remade then return "replace" end
  if action == "no-op" and schema and changes.object_of(planned.prior, schema) ~= value then return "update" end
  return action == "replace" and only_forgets(planned) and "create" or action
end

local usual = { managed = "create", data = "read" }

--- Notes what becomes of a planned instance, if that isn't what becomes of most, or if there is more to say of it.
---@param expansion hclexpr.module.Expansion
---@param planned hclexpr.module.Planned
---@param differs boolean?
function changes.note(expansion, planned, differs)
  local mode = planned.declaration.mode
  local action = usual[mode] and changes.action(planned, differs)
  if action == usual[mode] and not (planned.triggered or planned.deferred or planned.unread) then return end
  local managed, before = mode == "managed", planned.prior or planned.tainted
  expansion.noted = expansion.noted or {}
  expansion.noted[planned.key] = {
    action = action, entry = managed and planned.entry or nil, before = managed and before or nil,
    importing = managed and not planned.entry and planned.ids and planned.ids[planned.address] or nil,
    reason = action == "replace" and (planned.reason or "tainted") or nil, forgets = action == "replace" and only_forgets(planned) or nil,
    paths = planned.paths, triggered = planned.triggered, deferred = planned.deferred, shown = planned.shown, unread = planned.unread,
  }
end

--- What was before, with the marks of its schema: the state has only those of values.
---@param values table<string, hclexpr.Value>
---@param schema? table
---@return hclexpr.Value
function changes.object_of(values, schema)
  local value = core.value(values)
  return schema and core.value(proposal.parts(prepared_schemas.of(schema), value, value)) or value
end

-- Where no schema says what is a block, those that are written say it.
local function written_shape(bodies, shape)
  for _, body in ipairs(bodies) do
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do
      local type, inner = block.type, block.body
      if type == "dynamic" then
        type, inner = block.labels[1], nil
        for _, content in ipairs(block.body.blocks) do inner = content.type == "content" and content.body or inner end
      end
      local of = shape.block_types[type] or { block = { block_types = {} } }
      shape.block_types[type] = of
      written_shape({ inner }, of.block)
    end
  end
  return shape
end

--- Which parts of a declaration's values are nested blocks.
---@param declaration hclexpr.module.Declaration
---@param schema? table
---@return table
function changes.shape_of(declaration, schema)
  if schema then return schema end
  declaration.shape = declaration.shape or written_shape(declaration.bodies, { block_types = {}, written = true })
  return declaration.shape
end

--- Without a schema: is it a type of blocks that are written?
---@param planned hclexpr.module.Planned
---@param name string
---@return boolean
function changes.is_written_block(planned, name)
  return not planned.schema and changes.shape_of(planned.declaration).block_types[name] ~= nil
end

local function same(a, b)
  return typed_values.bare(a) == typed_values.bare(b)
end

local listed = { list = true, set = true, tuple = true }

local completed

-- Each of the items that are written with what one of those before has beside: first with those that fit, whatever their order.
local function complete_items(written, before)
  local left, made = {}, setmetatable({}, core.array_mt)
  for _, item in before:pairs() do left[#left + 1] = item end
  local items = {}
  for key, item in written:pairs() do
    items[key + 1] = item
    for i, old in ipairs(left) do
      local whole, fits = completed(item, old)
      if fits then
        made[key + 1] = whole
        table.remove(left, i)
        break
      end
    end
  end
  for i, item in ipairs(items) do
    if not made[i] then made[i] = left[1] and completed(item, table.remove(left, 1)) or item end
  end
  return core.value(made)
end

--- Blocks as they are written, without a schema, with what they were beside that: a state has all that a provider says. Second: is nothing
--- of them another?
---@param written hclexpr.Value
---@param before hclexpr.Value
---@return hclexpr.Value
---@return boolean fits
function completed(written, before)
  local now, old = core.as_written(written), before:unmark()
  if #now:marks() > 0 or not old:is_known() or old:is_null() then return now, same(now, before) end
  local kind, of = now:type():kind(), old:type():kind()
  if not now:is_known() then return kind == "dynamic" and before or now, kind == "dynamic" end
  if (kind == "object" or kind == "map") and (of == "object" or of == "map") then
    local parts = {}
    for name, part in old:pairs() do parts[name] = part end
    for name, part in now:pairs() do parts[name] = parts[name] and completed(part, parts[name]) or part end
    now = core.value(parts)
  elseif kind == "tuple" and listed[of] then
    now = complete_items(now, old)
  end
  return now, same(now, before)
end
changes.completed = completed

local function resource_row(declaration, instance, key, value, note, schema)
  local row = {
    address = naming.within(instance.address, naming.instance(declaration.address, key)), mode = declaration.mode,
    type = declaration.type, name = declaration.name, key = key or nil, module = instance.address, value = certain(core.as_written(value)),
    range = declaration.block.head_range, action = note and note.action or usual[declaration.mode],
    shape = changes.shape_of(declaration, schema), declaration = declaration,
  }
  if not schema then row.schema = false end
  if not note then return row end
  local was = note.entry and State.address(note.entry)
  row.previous_address = was ~= row.address and was or nil
  row.before = note.before and changes.object_of(note.before, schema)
  row.importing, row.reason, row.forgets = note.importing, note.reason, note.forgets
  return row
end

local function add_names(bodies, names)
  for _, body in ipairs(bodies) do
    for name in pairs(body.attributes) do names[name] = true end
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do add_names({ block.body }, names) end
  end
  return names
end

--- The names of all arguments that are written for a row's resource, also in its blocks.
---@param row table
---@return table<string, true>
function changes.written(row)
  return row.declaration and add_names(row.declaration.bodies, {}) or {}
end

--- Which actions are invoked, by the address of the instance that triggers them, or by the entry of the state that goes.
---@param walk hclexpr.module.Walk
---@return table<string|table, hclexpr.module.Invocation[]>
function changes.invoked(walk)
  local all = {}
  for _, of_node in pairs(walk.invocations) do
    for what, list in pairs(of_node) do all[what] = list end
  end
  return all
end

--- The instances of resources that have a value, with what becomes of each.
---@param walk hclexpr.module.Walk
---@return table[] rows
---@return table<table, true> kept what they are in the state
---@return table<table, table> places as State:left_behind has them
function changes.resources(walk)
  local rows, kept = {}, {}
  local state, places, from = walk.module.run.state, {}, {}
  if state then places, from = state:left_behind(walk) end
  local invoked = changes.invoked(walk)
  for _, node in ipairs(walk.graph:of_list "resources") do
    local declaration = node.declaration
    local schema = walk.module.run.schema_of(declaration)
    for _, instance in ipairs(walk.instances[node.config] or {}) do
      local expansion = instance.resources[declaration.address]
      for _, key in ipairs(expansion and expansion.keys or {}) do
        local value, note = expansion.instances[key], expansion.noted and expansion.noted[key]
        if value ~= nil then
          local row = resource_row(declaration, instance, key, value, note, schema)
          row.previous_address = row.previous_address or from[row.address]
          row.invokes = invoked[row.address]
          rows[#rows + 1] = row
        end
        if note and note.entry then kept[note.entry] = true end
      end
    end
  end
  return rows, kept, places
end

-- What goes

local function has_key(expansion, key)
  for _, known in ipairs(expansion.keys) do
    if known == key then return true end
  end
  return false
end

-- The module that these steps lead to, and its instance. No module: nothing declares it. No instance: there is none; or false: nobody knows.
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

--- Why an instance of a resource isn't there any more; nil: nothing says that it isn't.
---@param walk hclexpr.module.Walk
---@param steps table[] of its module
---@param address string in there
---@param key integer|string|false
---@return "no_module"|"no_resource"|"count"|"each"|"single"|nil reason
---@return hclexpr.module.Declaration? declaration also where nothing says so
---@return hclexpr.module.Config? config of its module
function changes.reason(walk, steps, address, key)
  local config, instance = module_at(walk, steps)
  local declaration = config and config.folder.resources[address]
  if instance == false then return nil, declaration, config end
  if not instance then return "no_module", declaration, config end
  if not declaration then return "no_resource", nil, config end
  local expansion = instance.resources[address]
  if not expansion or has_key(expansion, key) then return nil, declaration, config end
  return by_mode[expansion.mode], declaration, config
end

-- The same of an entry of the state. Where something is wrong, it may be what moved to another address.
local function reason_of(walk, entry)
  local steps = entry.module == "" and {} or addresses.module_steps(entry.module)
  if not steps then return nil end
  local reason, declaration = changes.reason(walk, steps, entry.address, entry.key)
  local may_move = walk.failed and walk.module.run.state.moves[1] ~= nil
  if may_move and (reason == "no_module" or reason == "no_resource") then return nil end
  return reason, declaration
end

-- What `removed` blocks only forget: addresses without keys.
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

-- Is it there, or a module that it is in?
local function is_within(addresses_, entry)
  local address = ""
  for _, step in ipairs(addresses.module_steps(entry.module) or {}) do
    address = naming.within(address, naming.call(step.name))
    if addresses_[address] then return true end
  end
  return addresses_[naming.within(address, entry.address)] ~= nil
end

--- Says of entries of the state that go whether they are only forgotten: by a `removed` block, or by the resource's `destroy = false`.
---@param walk hclexpr.module.Walk
---@return fun(entry: table, declaration?: hclexpr.module.Declaration): boolean
function changes.forgetting(walk)
  local forgotten = forgotten_in(walk.module.root)
  return function(entry, declaration)
    return changes.is_kept(declaration) or is_within(forgotten, entry)
  end
end

local function provider_schema(module, entry)
  local provider = module.run.provider_schemas[naming.with_other_host(State.provider(entry))]
  local row = provider and provider.resource_schemas and provider.resource_schemas[entry.type]
  return row and row.block or nil
end

-- What a replacement left to be destroyed. It is moved with what took its place.
local function deposed_row(walk, entry, forgets, places)
  local state = walk.module.run.state
  local module, address, key = state:moved_address(entry, addresses.module_steps(entry.module) or {}, places[entry.left])
  local config = module_at(walk, addresses.module_steps(module) or {})
  local declaration = config and config.folder.resources[address]
  local schema = declaration and walk.module.run.schema_of(declaration) or provider_schema(walk.module, entry)
  local whole, was = naming.within(module, naming.instance(address, key)), State.address(entry)
  local type, name = address:match "([^.]+)%.([^.]+)$"
  return {
    address = whole, mode = "managed", type = type, name = name, key = key or nil, module = module,
    action = forgets(entry, declaration) and "forget" or "delete", reason = "deposed", deposed = entry.deposed,
    previous_address = was ~= whole and was or nil, before = changes.object_of(state:values(entry, schema), schema),
    shape = schema or { block_types = {}, written = true },
  }
end

--- What the state has and the configuration hasn't, in the order of the state; then what only waits to be destroyed.
---@param walk hclexpr.module.Walk
---@param kept table<table, true>
---@param places table<table, table> as changes.resources has them
---@return table[] rows
function changes.gone(walk, kept, places)
  local state, rows, forgets = walk.module.run.state, {}, nil
  if not state or walk.exhausted then return rows end
  local invoked = changes.invoked(walk)
  for _, entry in ipairs(state.managed) do
    local reason, declaration
    if not kept[entry] then reason, declaration = reason_of(walk, entry) end
    if reason then
      forgets = forgets or changes.forgetting(walk)
      local schema = declaration and walk.module.run.schema_of(declaration) or provider_schema(walk.module, entry)
      rows[#rows + 1] = {
        address = State.address(entry), mode = "managed", type = entry.type, name = entry.name, key = entry.key or nil,
        module = entry.module, action = forgets(entry, declaration) and "forget" or "delete", reason = reason,
        before = changes.object_of(state:values(entry, schema), schema),
        shape = schema or { block_types = {}, written = true }, invokes = invoked[entry],
      }
    end
  end
  for _, entry in ipairs(state.deposed) do
    forgets = forgets or changes.forgetting(walk)
    rows[#rows + 1] = deposed_row(walk, entry, forgets, places)
  end
  return rows
end

-- May there be anything that is only forgotten?
local function may_forget(walk)
  for _, node in ipairs(walk.graph:of_list "resources") do
    if changes.is_kept(node.declaration) then return true end
  end
  return next(forgotten_in(walk.module.root)) ~= nil
end

--- Reports what a plan lets the state forget; nil: nothing.
---@param walk hclexpr.module.Walk
---@return hclexpr.Diagnostics?
function changes.lost(walk)
  if not walk.module.run.state or not may_forget(walk) then return nil end
  local findings, forgotten = Findings.new(true), {}
  local rows, kept, left = changes.resources(walk)
  for _, row in ipairs(rows) do
    if row.forgets then forgotten[#forgotten + 1] = row.address end
  end
  for _, row in ipairs(changes.gone(walk, kept, left)) do
    if row.action == "forget" then forgotten[#forgotten + 1] = row.address end
  end
  if forgotten[1] then
    -- Reference: at no place.
    findings:report("MODULE_FORGOTTEN", {}, "%s%s stays, and the state forgets it.", forgotten[1],
      forgotten[2] and (", like %d more,"):format(#forgotten - 1) or "")
  end
  return findings:diagnostics()
end

-- Outputs

local function output_action(before, after)
  if not before then return after:is_null() and "no-op" or "create" end
  if not after then return "delete" end
  if before:is_null() and after:is_null() then return "no-op" end
  local stays = same(before, after) and (#before:marks() > 0) == (#after:marks() > 0)
  return stays and after:is_wholly_known() and "no-op" or "update"
end

--- What becomes of the outputs of the root, by name.
---@param walk hclexpr.module.Walk
---@param outputs table<string, hclexpr.Value> as planned
---@return table<string, { action: hclexpr.module.Action, before?: hclexpr.Value, after?: hclexpr.Value }>
function changes.outputs(walk, outputs)
  local found, state = {}, walk.module.run.state
  local before = state and state:output_values() or {}
  for name, value in pairs(outputs) do
    found[name] = { action = output_action(before[name], value), before = before[name], after = value }
  end
  for name, value in pairs(before) do
    -- One that is declared and has no value failed.
    if not walk.module.root.folder.outputs[name] then found[name] = { action = "delete", before = value } end
  end
  return found
end

return changes
