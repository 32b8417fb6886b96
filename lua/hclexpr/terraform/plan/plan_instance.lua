-- Plans one instance: evaluates its configuration, asks its provider (providers/provider.lua) and sets the reason of a replacement.
-- change.lua then decides the action.
local change = require "hclexpr.terraform.plan.change"
local configuration = require "hclexpr.terraform.plan.configuration"
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local proposed_new = require "hclexpr.terraform.providers.proposed_new"
local Provider = require "hclexpr.terraform.providers.provider"
local typed_values = require "hclexpr.terraform.schema.typed_values"
local naming = require "hclexpr.terraform.language.naming"
local unknown_cause = require("hclexpr.lazy") "hclexpr.terraform.instance.unknown_cause"

local plan_instance = {}

---@class hclexpr.module.Planned: hclexpr.provider.Request one instance while it is planned
---@field walk hclexpr.module.Walk
---@field provider hclexpr.Provider
---@field frame hclexpr.module.Frame
---@field whole? table the values of `written` and `config` before changes were ignored
---@field entry? table its entry in the state; `prior` has the values
---@field tainted? table<string, hclexpr.Value> the values of a tainted object, which is replaced
---@field reason? "triggers"|"requested"|"paths" the reason for a replacement
---@field paths? string[][] the attributes that cause the replacement
---@field triggered? boolean something in replace_triggered_by changes
---@field deferred? string of data: why only an apply reads it, or reads it again
---@field shown? table<string, hclexpr.Value> of data that couldn't be read now and that an apply reads again: what is known until then
---@field is_read? boolean of data: its values are known now, from its provider or from the state
---@field unanswered? boolean its provider's answer is unknown
---@field values table<string, hclexpr.Value> the planned values

--- Returns the value of a resource when only its schema is known.
---@param schema table
---@return hclexpr.Value
function plan_instance.unknown(schema)
  local prepared, values = prepared_schemas.of(schema), {}
  for _, list in ipairs { prepared.attributes, prepared.blocks } do
    for name, wanted in pairs(list) do values[name] = prepared_schemas.unknown(wanted) end
  end
  return (core.value(values))
end

-- Findings of a provider

-- Returns the place of the argument at a path in a declaration, and the argument's expression. If the argument isn't written, returns the
-- start of the declaration's body, and the body.
local function place_of(declaration, attributes, path)
  local name = path[2] or path[1]
  if name and not path[2] and attributes[name] then return places.of_attribute(attributes[name]), attributes[name].expression end
  for _, body in ipairs(path[2] and declaration.bodies or {}) do
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do
      local attribute = block.type == path[1] and block.body.attributes[name]
      if attribute then return places.of_expression(attribute.expression), attribute.expression end
    end
  end
  return configuration.start(declaration.block), declaration.bodies[1]
end

-- Reports that the data source of a check can't be read. Then only the check fails.
local function fail_check(planned, place, text)
  local address = naming.within(planned.instance.address, planned.declaration.container.address)
  planned.walk:fails(address, "MODULE_DATA_CHECK", place, "%s", text)
  planned.walk:check(address, "fail", text)
end

-- Reports what a provider found. Returns false after errors, nil if the only error is that a check can't read its data source, and
-- otherwise true.
local function report(planned, findings)
  local sound = true
  for _, finding in ipairs(findings or {}) do
    local declaration, unknown, place, object = planned.declaration, finding.unknown, finding.place, nil
    if not place then place, object = place_of(declaration, planned.attributes, finding.path or {}) end
    local excused = unknown and unknown_cause.excuses(planned.walk, object, { frame = planned.frame, declaration = declaration },
      { name = unknown.name, so = unknown.so, place = place, row = "MODULE_UNKNOWN" })
    if finding.row == nil and declaration.container then
      fail_check(planned, place, finding.text)
      sound = sound and nil
    elseif not excused then
      planned.walk.findings:report(Findings.because(finding.row or "MODULE_DATA", finding.reason), place, "%s", finding.text)
      if not finding.warns then sound = false end
    end
  end
  return sound
end

-- The state

--- Returns the values that an import gives an instance; nil if they are unknown or nothing is imported.
---@param module hclexpr.Module
---@param declaration hclexpr.module.Declaration
---@param schema? table
---@param id? hclexpr.Value
---@return table<string, hclexpr.Value>?
function plan_instance.imported(module, declaration, schema, id)
  return id and schema and module.evaluation.provider_of(declaration):import(schema, id) or nil
end

local function read_prior(planned, mode)
  local state = planned.walk.run.state
  local entry = state and state:entry(planned.instance, planned.declaration, mode, planned.key)
  if not entry then
    return plan_instance.imported(planned.walk.module, planned.declaration, planned.schema, planned.ids and planned.ids[planned.address])
  end
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
  planned.written = proposed_new.ignore(config, function(name) return prior[name] end, lifecycle.ignore_changes)
  planned.config = planned.schema and core.value(planned.written) or nil
end

-- Restores the values that ignore_changes replaced, for an instance that is replaced.
local function heed_changes(planned)
  if not planned.whole then return end
  planned.seen, planned.written, planned.config = planned.config, planned.whole[1], planned.whole[2]
  planned.whole = nil
end

--- Checks the arguments of a resource without planning it.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param frame hclexpr.module.Frame
---@return boolean sound
function plan_instance.validate(walk, declaration, frame)
  local schema = walk.evaluation.schema_of(declaration)
  local config, attributes = configuration.evaluate(walk, declaration, schema, frame, declaration.mode ~= "ephemeral")
  if config == nil then return false end
  if not schema then return true end
  local sound = lazy.load("hclexpr.terraform.read.blocks.lifecycle").check(walk, declaration, schema)
  local findings = walk.evaluation.provider_of(declaration):validate(declaration, config, attributes)
  return report({ walk = walk, declaration = declaration, attributes = attributes, frame = frame }, findings) == true and sound
end

-- Returns the part of a walk that providers may read.
local function context_of(walk)
  walk.context = walk.context or { scope = walk.scope, lenient = walk.module.lenient or false, applies = walk.run.applies }
  return walk.context
end


local plans = {}

function plans.managed(planned)
  local provider, context = planned.provider, context_of(planned.walk)
  ignore_changes(planned)
  if planned.prior then planned.reason = change.reason_to_replace(planned) end
  local prior = not planned.reason and planned.prior or nil
  if not prior then heed_changes(planned) end
  local values, paths, findings = provider:propose(planned, prior, context)
  if not values and paths then -- attributes that differ force a replacement
    planned.reason = "paths"
    heed_changes(planned)
    values, paths, findings = provider:propose(planned, nil, context)
  end
  -- Reference: a new object's values are secret where the ignored changes would have left a secret.
  for name in pairs(planned.seen and values and planned.schema.attributes or {}) do
    local kept = planned.seen:get(name)
    if kept then values[name] = typed_values.with_marks(values[name], kept) end
  end
  planned.values, planned.paths, planned.unanswered = values, paths, not provider.answers
  return report(planned, findings)
end

local function leave_open(planned)
  if planned.schema then proposed_new.leave_open(prepared_schemas.of(planned.schema), planned.values) end
end

-- Plans data that wasn't read: with the state's values if these belong to the same configuration, otherwise as unknown.
local function take_state(planned)
  local values, prior = proposed_new.of(planned), planned.prior
  planned.values = prior and proposed_new.of(planned, prior) or values
  if not prior or planned.schema and change.differs(planned) then
    planned.values, planned.unread = values, true
    leave_open(planned)
  end
end

-- Returns true if the configuration is unknown because something is missing. With the missing part, Terraform might read the data now.
local function may_be_read(planned)
  for _, body in ipairs(planned.schema and planned.declaration.bodies or {}) do
    local home = { frame = planned.frame, declaration = planned.declaration }
    if unknown_cause.words(unknown_cause.of(planned.walk, body, home, {}, true)) then return true end
  end
  return false
end

-- Reads data now. If the configuration is unknown or the data waits for a pending change, an apply reads it instead.
local function read_data(planned)
  local known = Provider.config(planned):is_wholly_known()
  if planned.waits or not known then
    planned.values = proposed_new.of(planned)
    planned.deferred = known and "read_because_dependency_pending" or "read_because_config_unknown"
    if not known and not planned.waits and may_be_read(planned) then leave_open(planned) end
    return true
  end
  if planned.declaration.container then planned.deferred, planned.shown = "read_because_check_nested", proposed_new.of(planned) end
  local values, outcome, findings = planned.provider:read(planned, context_of(planned.walk))
  local sound = report(planned, findings)
  if outcome == "refused" or sound == false then
    planned.values = proposed_new.of(planned)
    return sound
  end
  if values then planned.values, planned.unread = values, outcome == "unread" or nil else take_state(planned) end
  planned.is_read = not planned.unread
  return true
end

function plans.data(planned)
  local outcome = read_data(planned)
  if planned.is_read then planned.shown = nil end
  return outcome
end

function plans.ephemeral(planned)
  local values, findings = planned.provider:open(planned)
  planned.values = values
  return report(planned, findings)
end

--- Plans an instance. Returns its value, an open object if no schema is known, and the decision of change.decide. If something is wrong,
--- reports that and returns nil.
---@param planned hclexpr.module.Planned with the parts that are known: walk, declaration, instance, key, address
---@param frame hclexpr.module.Frame
---@param mode string of the resource's expansion
---@return hclexpr.Value? value
---@return hclexpr.module.Decision? decision
function plan_instance.plan(planned, frame, mode)
  local walk, declaration = planned.walk, planned.declaration
  local schema = planned.schema or walk.evaluation.schema_of(declaration)
  local config, attributes = configuration.evaluate(walk, declaration, schema, frame, declaration.mode ~= "ephemeral")
  if config == nil then return nil end
  planned.schema, planned.attributes, planned.frame = schema, attributes, frame
  local own = walk.evaluation.provider_of(declaration)
  -- Reference: the provider doesn't validate data that only an apply reads.
  local waits = schema and declaration.mode == "data" and (planned.waits or not config:is_wholly_known())
  if schema and not waits and not report(planned, own:validate(declaration, config, attributes)) then return nil end
  planned.written, planned.config = config, schema and config
  planned.provider = walk.run.provider_for and walk.run.provider_for(planned, own) or own
  planned.prior = read_prior(planned, mode)
  local outcome = plans[declaration.mode](planned)
  if outcome == false then return nil end
  local value = schema and core.value(planned.values) or certain(core.unknown("any", { attributes = planned.values }))
  if declaration.mode == "ephemeral" then return value:mark "ephemeral" end
  return value, change.decide(planned)
end

return plan_instance
