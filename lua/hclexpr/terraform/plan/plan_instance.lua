-- Planning: what can be said of a resource without its provider once its configuration is known.
--
-- What the configuration says is taken from it (proposed_new.lua); the rest from the state, else from the `resource` callback of the module, else
-- it is unknown. The built-in types have rows of their own.
local builtin = require "hclexpr.terraform.schema.builtin"
local change = require "hclexpr.terraform.plan.change"
local configuration = require "hclexpr.terraform.plan.configuration"
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local proposal = require "hclexpr.terraform.providers.proposal"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local written = require "hclexpr.terraform.providers.written"
local naming = require "hclexpr.terraform.language.naming"
local unknown_cause = require("hclexpr.lazy") "hclexpr.terraform.instance.unknown_cause"

local plan_instance = {}

---@class hclexpr.module.Planned one instance while it is planned
---@field walk hclexpr.module.Walk
---@field declaration hclexpr.module.Declaration
---@field instance hclexpr.module.Instance
---@field key integer|string|false
---@field address string
---@field frame hclexpr.module.Frame
---@field ids? table<string, hclexpr.Value> by which instances are imported, by address
---@field schema? table
---@field written table<string, hclexpr.Value>|hclexpr.Value the arguments, by name; by a schema a Value of all
---@field config? hclexpr.Value the same as a Value: config_of
---@field whole? table both of them, with the changes that are ignored
---@field seen? hclexpr.Value config without these, once they count
---@field attributes? table<string, hclexpr.Attribute> those that are written, by a schema
---@field entry? table what the state has
---@field prior? table<string, hclexpr.Value> the values of that
---@field tainted? table<string, hclexpr.Value> those of what is to be replaced
---@field reason? "triggers"|"requested" why another takes the place of what there is
---@field paths? string[][] the attributes that are the cause of that
---@field triggered? boolean something changes that it is to be replaced with (replace_triggered_by)
---@field deferred? string of data: why it is read only by an apply, or then again
---@field shown? table<string, hclexpr.Value> of data that an apply reads again, and nobody could read: what is known of it until then
---@field is_read? boolean of data
---@field unanswered? boolean nobody says what its provider would
---@field values table<string, hclexpr.Value> what is planned

--- The value of a resource when only its schema is known.
---@param schema table
---@return hclexpr.Value
function plan_instance.unknown(schema)
  local prepared, values = prepared_schemas.of(schema), {}
  for _, list in ipairs { prepared.attributes, prepared.blocks } do
    for name, wanted in pairs(list) do values[name] = prepared_schemas.unknown(wanted) end
  end
  return (core.value(values))
end

-- The types of the built-in provider by their schemas: another provider may have types of the same names.
local builtin_types = {}
for _, part in ipairs { builtin.provider.resource_schemas, builtin.provider.data_source_schemas } do
  for type, row in pairs(part) do builtin_types[row.block] = type end
end

-- The arguments as a Value. Without a schema few ask for that; blocks are then as they are written.
local function config_of(planned)
  planned.config = planned.config or certain(core.as_written(certain(core.value(planned.written))))
  return planned.config
end

-- What the provider would say

local function asked_of(planned)
  return { address = planned.address, mode = planned.declaration.mode, type = planned.declaration.type, name = planned.declaration.name,
           key = planned.key or nil, module = planned.instance.address, config = config_of(planned) }
end

local function refuse(planned, name, text, ...)
  local declaration = planned.declaration
  local row = declaration.container and "MODULE_DATA_CHECK" or "MODULE_DATA"
  local attribute = name and planned.attributes[name]
  local place = attribute and places.of_attribute(attribute) or configuration.start(declaration.block)
  if not declaration.container then
    planned.walk.findings:report(row, place, text, ...)
    return false
  end
  -- A check that can't read its data source has failed, and nothing else.
  local address = naming.within(planned.instance.address, declaration.container.address)
  planned.walk:fails(address, row, place, text, ...)
  planned.walk:check(address, "fail", text:format(...))
  return nil
end

-- The attributes of an answer, by name, with the marks of the whole. Of an unknown one nothing is known.
local function parts_of(planned, answer)
  if type(answer) == "table" then return answer end
  local parts, plain, marks = {}, answer:unmark(), answer:marks()
  if not plain:is_known() or plain:is_null() then return parts end
  local kind = core.kind(plain)
  if kind ~= "object" and kind ~= "map" then
    error(("hclexpr: the option resource gave a %s for %s, not an object"):format(kind, planned.address), 0)
  end
  for name, part in plain:pairs() do
    for _, mark in ipairs(marks) do part = part:mark(mark) end
    parts[name] = part
  end
  return parts
end

-- What was answered for an attribute, as its schema has it, with the marks that the configuration gave it. nil: it doesn't fit.
local function answered(wanted, x, config)
  local value, err
  if getmetatable(x) == core.classes.Value then value, err = wanted.type:convert(x)
  else value, err = typed_values.value(x, wanted.json, wanted.type) end
  if value == nil then return nil, err end
  if config then value = typed_values.with_marks(value, config) end
  return typed_values.mark(value, wanted.row)
end

-- What the `resource` callback gives replaces what is planned. true: it gave something; nil: nothing; false: it failed, which was reported.
local function ask(planned)
  local callback = planned.walk.module.options.resource
  if not callback then return nil end
  local answer, message = callback(asked_of(planned))
  if answer == nil then
    if message == nil then return nil end
    return refuse(planned, nil, "%s: %s", planned.address, tostring(message))
  end
  if type(answer) ~= "table" and getmetatable(answer) ~= core.classes.Value then
    error(("hclexpr: the option resource gave a %s for %s, not a table or a Value"):format(type(answer), planned.address), 0)
  end
  local prepared = planned.schema and prepared_schemas.of(planned.schema)
  for name, x in pairs(parts_of(planned, answer)) do
    local wanted = prepared and (prepared.attributes[name] or prepared.blocks[name])
    if wanted then
      local value, err = answered(wanted, x, config_of(planned):get(name))
      if value == nil then
        ---@cast err -?
        return refuse(planned, nil, "%s: the value that was given for %s doesn't fit its type: %s", planned.address, name,
          (err[1].detail:gsub("^%u", string.lower)))
      end
      planned.values[name] = value
    elseif not prepared then
      planned.values[name] = core.value(x)
    end
  end
  return true
end

-- The state

--- What an import brings, of a type whose imports bring nothing but the id; nil: nobody knows, or nothing is imported.
---@param planned { ids?: table<string, hclexpr.Value>, address: string, schema?: table }
---@return table<string, hclexpr.Value>?
function plan_instance.imported(planned)
  local id = planned.ids and planned.ids[planned.address]
  if not id or builtin_types[planned.schema] ~= "terraform_data" then return nil end
  local prior = proposal.nothing(prepared_schemas.of(planned.schema))
  prior.id = id
  return prior
end

local function read_prior(planned, mode)
  local state = planned.walk.run.state
  local entry = state and state:entry(planned.instance, planned.declaration, mode, planned.key)
  if not entry then return plan_instance.imported(planned) end
  planned.entry = entry
  local prior = state:values(entry, planned.schema)
  if entry.tainted then
    planned.tainted = prior
    return nil
  end
  if entry.flat and not planned.schema then
    for name, value in pairs(prior) do
      if planned.written[name] then prior[name] = typed_values.like(value, planned.written[name], true) end
    end
  elseif not state.wrapped and planned.schema then
    for name, wanted in pairs(prepared_schemas.of(planned.schema).attributes) do
      if wanted.json == "dynamic" then prior[name] = typed_values.like(prior[name], planned.config:get(name)) end
    end
  end
  return prior
end

-- Does the state have what is written? Then nothing else is planned, and it has all attributes.
local function is_as_before(value, before)
  return before and not before:is_null() and not core.marks_within(value) and value:is_wholly_known() and value == typed_values.bare(before)
end

-- What is planned by the configuration and what was before.
local function propose(planned, prior)
  if planned.schema then
    local open = planned.declaration.mode == "ephemeral"
    return proposal.parts(prepared_schemas.of(planned.schema), planned.config, prior and core.value(prior) or nil, open, planned.fill)
  end
  local values, body = {}, planned.declaration.bodies[1]
  for name, value in pairs(prior or {}) do values[name] = value end
  for name, value in pairs(planned.written) do
    if written.is_block(planned, name) then values[name] = value
    else values[name] = is_as_before(value, values[name]) and value or written.planned(name, value, body) or values[name] end
  end
  if planned.fill then planned.fill:add(values) end
  return values
end

local function ignore_changes(planned)
  local lifecycle, prior = planned.declaration.lifecycle, planned.prior
  if not prior or not lifecycle or not lifecycle.ignore_changes then return end
  local config = {}
  if planned.schema then
    for name, value in planned.config:pairs() do config[name] = value end
  else
    for name, value in pairs(planned.written) do config[name] = value end
  end
  planned.whole = { planned.written, planned.config }
  planned.written = proposal.ignore(config, function(name) return prior[name] end, lifecycle.ignore_changes)
  planned.config = planned.schema and core.value(planned.written) or nil
end

-- Of what takes the place of another no change is ignored.
local function plan_anew(planned)
  if planned.whole then
    planned.seen, planned.written, planned.config = planned.config, planned.whole[1], planned.whole[2]
    planned.whole = nil
  end
  planned.values = propose(planned)
end

-- The built-in types: true, perhaps with a warning; or false, and if it wasn't reported, why and the argument to blame.
local rows = {}

local function is_other(value, prior) return typed_values.bare(value) ~= typed_values.bare(prior) end

local unknown_id = certain(core.unknown("string", { not_null = true }))

-- The output of terraform_data is its input, once it is there. prior: nil, a new one is made.
local function plan_data(planned, prior)
  local values, input = planned.values, planned.values.input:unmark()
  if not prior then values.id = unknown_id end
  if prior and not is_other(input, prior.input) then values.output = typed_values.like(prior.output, values.input)
  else values.output = input:is_null() and input or core.unknown(input:type()) end
end

-- The arguments of a block `store`, by name; nil: there is none.
local function arguments_of(value)
  if value:is_null() then return nil end
  local parts = {}
  for name, part in value:pairs() do parts[name] = part end
  return parts
end

-- What its block `store` keeps a copy of, though the input itself isn't kept: it is made anew where the version is another, or without
-- one where the input is.
local function stored_of(part, input, before)
  local kept = before and (before.sensitive_output:is_null() and before.output or before.sensitive_output)
  kept = typed_values.like(kept and kept:unmark() or core.value(core.null), input)
  if input:is_null() and kept:is_null() then return core.value(core.null, input:type()) end
  local changed
  if part.version:is_null() then changed = is_other(input, kept)
  else changed = not before or is_other(part.version, typed_values.like(before.version, part.version)) end
  return changed and core.unknown(input:type()) or kept
end

function rows.terraform_data(planned)
  local prior = planned.prior
  -- Another trigger makes a new one.
  if prior and is_other((planned.seen or planned.config):get "triggers_replace", prior.triggers_replace) then
    planned.reason, planned.paths = planned.reason or "triggers", { { "triggers_replace" } }
  end
  if planned.reason then
    prior = nil
    plan_anew(planned)
  end
  plan_data(planned, prior)
  return plan_instance.plan_store(planned, prior)
end

-- Reports an argument of the block `store` that isn't known. Reference: of a dynamic block at the resource.
local function refuse_unknown(planned, name)
  local declaration = planned.declaration
  local place, object = configuration.start(declaration.block), declaration.bodies[1]
  for _, body in ipairs(declaration.bodies) do
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do
      local attribute = block.type == "store" and block.body.attributes[name]
      if attribute then place, object = places.of_expression(attribute.expression), attribute.expression end
    end
  end
  local what = { name = name .. " of the block store", so = "what is stored", place = place, row = "MODULE_UNKNOWN" }
  if unknown_cause.excuses(planned.walk, object, { frame = planned.frame, declaration = declaration }, what) then return true end
  planned.walk.findings:report("MODULE_CONFIGURED", place, "%s of the block store must be known before the apply.", name)
  return false
end

--- Plans the block `store` of terraform_data.
---@param planned hclexpr.module.Planned
---@param prior? table<string, hclexpr.Value>
---@return boolean sound
function plan_instance.plan_store(planned, prior)
  local part = arguments_of(planned.values.store)
  if not part then return true end
  for _, name in ipairs { "sensitive", "replace" } do
    if not part[name]:is_known() then return refuse_unknown(planned, name) end
  end
  local function is_true(name) return not part[name]:is_null() and part[name]:unmark():text() == "true" end
  local secret, input = is_true "sensitive", planned.config:get("store"):get("input"):unmark()
  local stored = stored_of(part, input, prior and arguments_of(prior.store))
  if is_true "replace" then
    if prior and not stored:is_known() then
      planned.reason = "triggers"
      plan_anew(planned)
      plan_data(planned, nil)
      return plan_instance.plan_store(planned, nil)
    end
    if not stored:is_known() then planned.values.id = core.unknown "string" end
    -- Reference: behind another trigger nothing counts as stored before.
    local was = planned.prior and not planned.paths and arguments_of(planned.prior.store) or nil
    if not prior and planned.prior and not stored_of(part, input, was):is_known() then
      planned.paths = planned.paths or {}
      table.insert(planned.paths, { "store", "input" })
    end
  end
  part.output = secret and core.value(core.null) or stored
  part.sensitive_output = secret and stored or core.value(core.null)
  -- Reference: what takes the place of another has no marks of the schema.
  if prior or not planned.prior then part.sensitive_output = part.sensitive_output:mark "sensitive" end
  planned.values.store = core.value(part)
  return true
end

function rows.terraform_remote_state(planned)
  return lazy.load("hclexpr.terraform.providers.remote_state").read(planned)
end

--- Checks the arguments of a resource without planning it.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@return boolean sound
function plan_instance.validate(walk, declaration, frame)
  local schema = walk.module.run.schema_of(declaration)
  local config, attributes = configuration.evaluate(walk, declaration, schema, frame, declaration.mode ~= "ephemeral")
  if config == nil then return false end
  local sound = not schema or lazy.load("hclexpr.terraform.read.blocks.lifecycle").check(walk, declaration, schema)
  local check = plan_instance.checks[builtin_types[schema]]
  return (not check or check(walk, declaration, config, attributes)) and sound
end

-- What the built-in types refuse beyond their schema.
plan_instance.checks = {
  terraform_data = function(walk, declaration, config)
    local sound = true
    for _, name in ipairs { "id", "output" } do
      if not config:get(name):is_null() then
        walk.findings:report("MODULE_CONFIGURED", {}, "%s: %s is set by the resource, not by its configuration. Remove the argument.",
          declaration.address, name)
        sound = false
      end
    end
    return sound
  end,

  terraform_remote_state = function(walk, declaration, config, attributes)
    return lazy.load("hclexpr.terraform.providers.remote_state").check(walk, declaration, config, attributes)
  end,
}

-- Old providers compute blocks that nobody writes, and their schema doesn't say which. Those with something computed inside may be such.
local function leave_blocks(planned, prior)
  local prepared = planned.schema and prepared_schemas.of(planned.schema)
  for name, wanted in pairs(prepared and prepared.old and prepared.blocks or {}) do
    local config = planned.config:get(name):unmark()
    if wanted.inner.computed and (wanted.nesting == "list" or wanted.nesting == "set") and config:is_known() and #config == 0 then
      planned.values[name] = prior and prior[name] or prepared_schemas.unknown(wanted)
    end
  end
end

local plans = {}

function plans.managed(planned)
  local run = planned.walk.run
  local trial = run.trial
  ignore_changes(planned)
  if planned.prior then planned.reason = planned.triggered and "triggers" or run.replaced[planned.address] and "requested" or nil end
  if trial and not trial:prepare(planned) then return false end
  local prior = not planned.reason and planned.prior or nil
  if prior then planned.values = propose(planned, prior) else plan_anew(planned) end
  if not planned.fill then leave_blocks(planned, prior) end
  local row = not planned.double and rows[builtin_types[planned.schema]]
  if row then
    local ok, why, name = row(planned)
    if ok and trial then trial:finish(planned) end
    return ok or why ~= nil and refuse(planned, name, "%s", why)
  end
  planned.unanswered = not planned.double and not planned.walk.module.options.resource
  if trial and planned.fill then return trial:is_sound(planned) end
  return prior ~= nil or ask(planned) ~= false
end

-- Data is read as soon as its configuration is known. Without a reader the state's is taken, if it was read by the same configuration.
local function read_data(planned)
  planned.values = propose(planned)
  local known = config_of(planned):is_wholly_known()
  if planned.waits or not known then
    planned.deferred = known and "read_because_dependency_pending" or "read_because_config_unknown"
    return true
  end
  if planned.declaration.container then planned.deferred, planned.shown = "read_because_check_nested", propose(planned) end
  local trial = planned.walk.run.trial
  if trial and not trial:prepare(planned) then return false end
  local row, warning = not planned.double and rows[builtin_types[planned.schema]], nil
  if row then
    local ok, why, name = row(planned)
    if not ok then return refuse(planned, name, "%s", why) end
    planned.is_read, warning = not planned.unread, why
    if planned.is_read then return true end
    planned.unread = nil
  elseif planned.fill then
    planned.values, planned.unread = propose(planned), not planned.double or nil
    return trial:is_sound(planned)
  end
  local read = ask(planned)
  planned.is_read = read ~= nil
  if read ~= nil then return read end
  if warning then planned.walk.findings:report("MODULE_DATA_CHECK", configuration.start(planned.declaration.block), "%s", warning) end
  local values, prior = planned.values, planned.prior
  if prior then planned.values = propose(planned, prior) end
  if not prior or planned.schema and change.differs(planned) then
    planned.values, planned.unread = values, true
    if planned.schema then proposal.leave_open(prepared_schemas.of(planned.schema), values) end
  end
  planned.is_read = not planned.unread
  return true
end

function plans.data(planned)
  local outcome = read_data(planned)
  if planned.is_read then planned.shown = nil end
  return outcome
end

function plans.ephemeral(planned)
  local trial = planned.walk.run.trial
  if trial and not trial:opens(planned) then return false end
  planned.values = propose(planned)
  return not config_of(planned):is_wholly_known() or ask(planned) ~= false
end

--- The planned value of one instance; nil: something is wrong, and was reported. Without a schema it is an open object. Second: will there be
--- a change of what the state has?
---@param planned hclexpr.module.Planned with what is known of it: walk, declaration, instance, key, address
---@param frame hclexpr.module.Frame
---@param mode string of the resource's expansion
---@return hclexpr.Value? value
---@return boolean? changes
function plan_instance.plan(planned, frame, mode)
  local walk, declaration = planned.walk, planned.declaration
  local schema = planned.schema or walk.module.run.schema_of(declaration)
  local config, attributes = configuration.evaluate(walk, declaration, schema, frame, declaration.mode ~= "ephemeral")
  if config == nil then return nil end
  local of_type = plan_instance.checks[builtin_types[schema]]
  if of_type and not of_type(walk, declaration, config, attributes) then return nil end
  planned.schema, planned.attributes, planned.frame = schema, attributes, frame
  planned.written, planned.config = config, schema and config
  planned.prior = read_prior(planned, mode)
  local outcome = plans[declaration.mode](planned)
  if outcome == false then return nil end
  local value = schema and core.value(planned.values) or certain(core.unknown("any", { attributes = planned.values }))
  if declaration.mode == "ephemeral" then return value:mark "ephemeral" end
  return value, change.decide(planned)
end

return plan_instance
