-- Evaluates the nodes of resources, data sources and ephemeral resources.
local lazy = require "hclexpr.lazy"
local actions = lazy "hclexpr.terraform.plan.actions"
local invocations = lazy "hclexpr.terraform.plan.invocations"
local configuration = require "hclexpr.terraform.plan.configuration"
local change = require "hclexpr.terraform.plan.change"
local conditions = require "hclexpr.terraform.evaluate.conditions"
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local modes = require "hclexpr.terraform.language.modes"
local deprecation = require "hclexpr.terraform.instance.deprecation"
local frames = require "hclexpr.terraform.instance.frames"
local imports = lazy "hclexpr.terraform.plan.imports"
local instances = require "hclexpr.terraform.instance.instances"
local keeping = lazy "hclexpr.terraform.plan.keeping"
local plan_instance = require "hclexpr.terraform.plan.plan_instance"
local progress = require "hclexpr.terraform.evaluate.progress"
local provisioners = require "hclexpr.terraform.plan.provisioners"
local references = require "hclexpr.terraform.read.references"
local replacement_triggers = lazy "hclexpr.terraform.plan.replacement_triggers"
local deferred_reads = require "hclexpr.terraform.graph.deferred_reads"
local dependencies = require "hclexpr.terraform.read.dependencies"
local orphans = require "hclexpr.terraform.plan.orphans"
local naming = require "hclexpr.terraform.language.naming"

local node = {}

-- Names: the tables with the values of resources

local function home_of(instance, declaration)
  return instances.home(instance.all, declaration)
end

local function unknown_single(walk, declaration)
  local schema = walk.evaluation.schema_of(declaration)
  local value = schema and plan_instance.unknown(schema) or frames.unknown
  return declaration.mode == "ephemeral" and value:mark "ephemeral" or value
end

-- Validate walks

-- Reference: without values everything about an ephemeral resource is ephemeral, even the number of instances.
local unknown_ephemeral = frames.unknown:mark "ephemeral"


local function validate_rules(walk, declaration, frame, self)
  local sound, with_self = true, frames.with_self(walk, frame, declaration, self)
  for _, rule in ipairs(declaration.rules) do
    sound = conditions.validate(walk, rule, rule.kind == "postcondition" and with_self or frame) and sound
  end
  return sound
end

local function unknown_type(walk, declaration)
  walk.findings:report("MODULE_TYPE_UNKNOWN", { object = declaration.block, range = declaration.block.label_ranges[1] }, "The provider has "
    .. "no %s of the type %s. Look up its name, or name the provider that has it: provider = ...", modes[declaration.mode].what,
    core.quote(declaration.type))
  return false
end

local function warn_deprecated(walk, declaration)
  walk.findings:report("MODULE_DEPRECATED", configuration.start(declaration.block), "The type %s is deprecated. The provider's "
    .. "documentation may name a replacement.", declaration.type)
end

local function validate(walk, instance, declaration)
  local arguments = declaration.arguments
  local counted, each = arguments.count ~= nil, arguments.for_each ~= nil
  local frame = frames.unknown_key(walk, instance, counted, each)
  local unknown = unknown_single(walk, declaration)
  local schema, provider_known = walk.evaluation.schema_of(declaration)
  local named = deprecation.mark(schema, (counted or each or arguments.enabled) and frames.unknown or unknown)
  if declaration.mode == "ephemeral" then named = unknown_ephemeral end
  -- The resource gets a value before it is checked, so only a plan reports that it refers to itself.
  home_of(instance, declaration)[declaration.name] = named
  local imported = declaration.mode == "managed" and dependencies.may_import(instance.config)
  local sound = not imported or imports.ids(walk, declaration, instance) ~= nil
  sound = instances.check(walk, declaration, instance) and sound
  sound = conditions.check_depends_on(walk, declaration, frames.plain(walk, instance)) and sound
  if not schema and provider_known then sound = unknown_type(walk, declaration)
  elseif not plan_instance.validate(walk, declaration, frame) then sound = false
  elseif schema and schema.deprecated then warn_deprecated(walk, declaration) end
  sound = validate_rules(walk, declaration, frame, named) and sound
  local fine = provisioners.check(walk, declaration, frames.with_self(walk, frame, declaration, named))
  -- Reference: after a mistake in provisioners or before them, triggers are ignored.
  if not declaration.action_triggers or declaration.provisioners and not (sound and fine) then return sound and fine end
  return actions.validate(walk, declaration, instance, deprecation.mark(schema, unknown)) and sound and fine
end

-- Plans

-- Reports references to a resource in its own block: all of them, or with `key` only those that may mean the instance with this key.
-- Returns true if it reported any, because a resource can't refer to itself.
local function names_itself(walk, declaration, object, key)
  local refs = references.chosen(object, function(ref)
    return ref.kind == "resource" and ref.key == declaration.address and (key == nil or ref.instance == nil or ref.instance == key)
  end)
  for _, ref in ipairs(refs or {}) do
    walk.findings:report("MODULE_SELF", { object = object, range = ref.range }, "%s can't refer to itself. Remove the reference, or name "
      .. "another resource.", declaration.address)
  end
  return refs ~= nil
end

-- Expands a resource. If its count, for_each or enabled is wrong, reports that and returns nil. The second result is true if its imports
-- are wrong.
local function expand(walk, declaration, instance)
  for _, name in ipairs { "count", "for_each", "enabled" } do
    local attribute = declaration.arguments[name]
    if attribute and names_itself(walk, declaration, attribute.expression) then return nil end
  end
  local expansion = instances.expand(walk, declaration, instance)
  local imports_here = declaration.mode == "managed" and walk.run.mode ~= "refresh-only" and dependencies.may_import(instance.config)
  if not imports_here then return expansion end
  local ids = imports.ids(walk, declaration, instance, expansion and expansion.keys)
  if expansion then expansion.ids = ids end
  return expansion, ids == nil
end

-- Sets the status "unknown" for a resource that failed before its postconditions were checked, so that it doesn't count as passed. (A
-- failed postcondition sets a worse status.)
local function leave_open(walk, declaration, instance, key)
  for _, rule in ipairs(declaration.rules) do
    if rule.kind == "postcondition" then
      walk:check(naming.within(instance.address, naming.instance(declaration.address, key)), "unknown")
    end
  end
end

-- Returns true if an instance's references are sound, so that it can be refreshed; otherwise reports the wrong ones.
local function may_refresh(walk, declaration, instance, expansion, key, address)
  for _, body in ipairs(declaration.bodies) do
    if names_itself(walk, declaration, body, key) then return false end
  end
  if expansion.ids then expansion.looked_at = true end
  local triggers_of = declaration.lifecycle and declaration.lifecycle.replace_triggered_by
  return not triggers_of or replacement_triggers.check(walk, triggers_of, instance, key, address)
end

-- Plans one instance. Returns its value, or nil after a report; then true if its change is allowed and its postconditions hold.
local function plan_one(walk, declaration, instance, expansion, key)
  local frame = frames.of_key(walk, instance, key, expansion.values[key])
  local address = naming.within(instance.address, naming.instance(declaration.address, key))
  walk.findings.resource = key ~= false and address or nil
  if not may_refresh(walk, declaration, instance, expansion, key, address) then
    expansion.unrefreshed = expansion.unrefreshed or {}
    expansion.unrefreshed[key] = true
    return nil
  end
  if not conditions.hold(walk, declaration.rules, "precondition", frame, address) then return nil end
  local planned = { walk = walk, declaration = declaration, instance = instance, key = key, address = address, waits = expansion.waits,
                    ids = expansion.ids, schema = expansion.schema }
  local triggers_of = declaration.lifecycle and declaration.lifecycle.replace_triggered_by
  planned.triggered = triggers_of and replacement_triggers.changed(triggers_of.expressions, instance, key)
  local value, decision = plan_instance.plan(planned, frame, expansion.mode)
  if value == nil then return nil end
  expansion.changes = expansion.changes or change.is_pending(declaration.mode, decision)
  expansion.unanswered = expansion.unanswered or planned.unanswered
  if decision then
    expansion.decisions = expansion.decisions or {}
    expansion.decisions[key] = decision
  end
  if not orphans.allows(planned, decision) then return value, false end
  if not declaration.rules[1] and not declaration.action_triggers then return value, true end
  local self = deprecation.mark(planned.schema, value)
  if declaration.action_triggers then
    expansion.callers = expansion.callers or {}
    expansion.callers[#expansion.callers + 1] = { key = key, address = walk.findings.resource, frame = frame, self = self,
                                                    decision = decision }
  end
  return value, conditions.hold(walk, declaration.rules, "postcondition", frames.with_self(walk, frame, declaration, self), address)
end

-- Returns the value of an instance as expressions see it, with marks on the parts that the schema calls deprecated. `types` has unknown
-- values for attributes that aren't written; they come from a schema of another version, and a plan doesn't show them.
local function seen(value, schema, types)
  if not types then return deprecation.mark(schema, value) end
  local known = #value:marks() == 0 and not value:is_known() and value:refinements().attributes
  if not known then return value end
  local all = {}
  for name, unknown in pairs(types) do all[name] = unknown end
  for name, part in known:pairs() do all[name] = part end
  return certain(core.unknown("any", { attributes = all }))
end

-- Returns the values of all instances as expressions see them.
local function all_seen(walk, expansion, schema, types)
  local all = core.family(expansion.mode == "count" and "numbers" or "names", #expansion.keys)
  for _, key in ipairs(expansion.keys) do
    walk:breathe(instances.LOOK)
    local value = expansion.instances[key]
    all[key] = value and seen(value, schema, types)
  end
  return all
end

local nothing = core.value(core.null)

-- Puts the values of the instances among the names of the module.
local function put(walk, instance, declaration, expansion)
  local home, schema = home_of(instance, declaration), walk.evaluation.deprecations and walk.evaluation.schema_of(declaration) or nil
  local all, types = expansion.instances, walk.evaluation.types_of(declaration)
  if expansion.mode == "unknown" then
    home[declaration.name] = frames.missing
  elseif expansion.mode == "single" then
    home[declaration.name] = expansion.disabled and nothing or all[false] and seen(all[false], schema, types)
  else
    if schema or types then all = all_seen(walk, expansion, schema, types) end
    -- An instance that failed is unknown to the others.
    home[declaration.name] = core.family_value(all, core.unknown(unknown_single(walk, declaration):type()))
  end
end

local function is_self(ref) return ref.kind == "self" end

-- Checks the postconditions of an instance that the state lacks, and reports those that name `self`. Returns true if all could be judged.
-- Reference: `self` is then a missing element of the resource.
local function check_absent(walk, declaration, frame, address)
  local sound = true
  for _, rule in ipairs(declaration.rules) do
    local named = false
    for _, attribute in ipairs(rule.kind == "postcondition" and { rule.condition, rule.error_message } or {}) do
      for _, ref in ipairs(references.chosen(attribute.expression, is_self) or {}) do
        named = true
        walk.findings:report("MODULE_CONDITION", { object = attribute.expression, range = ref.range }, "%s isn't in the state, so \"self\" "
          .. "has no value here. A refresh-only plan creates no objects: apply without -refresh-only first.", address)
      end
    end
    if named then walk:check(address, "error")
    elseif rule.kind == "postcondition" then named = conditions.check(walk, rule, frame, address) == "error" end
    sound = sound and not named
  end
  return sound
end

-- Checks only the conditions of a resource, in a refresh-only run. Its value comes from the state.
local function keep(walk, declaration, instance, expansion, leaves)
  local shown, all_sound = keeping.among_names(walk, instance, declaration, expansion, leaves), true
  local schema = walk.evaluation.schema_of(declaration)
  put(walk, instance, declaration, shown)
  for _, key in ipairs(declaration.rules[1] and expansion.keys or {}) do
    if keeping.has_turn(walk, declaration, instance, key) then
      local frame, value = frames.of_key(walk, instance, key, expansion.values[key]), shown.instances[key]
      local address = naming.within(instance.address, naming.instance(declaration.address, key))
      local sound = conditions.hold(walk, declaration.rules, "precondition", frame, address)
      local with_self = frames.with_self(walk, frame, declaration, value ~= nil and deprecation.mark(schema, value) or frames.unknown)
      if value == nil and shown.lacks(key) then sound = check_absent(walk, declaration, with_self, address) and sound
      else sound = conditions.hold(walk, declaration.rules, "postcondition", with_self, address) and sound end
      all_sound = sound and all_sound
    else leave_open(walk, declaration, instance, key) end
  end
  return all_sound
end

-- Plans the instances of an expansion, except those for which leaves(key) is true. `leaves` may be nil.
local function plan_all(walk, declaration, instance, expansion, leaves)
  local all_sound, meter = true, walk.meter
  if meter then progress.expect(meter, #expansion.keys) end
  for _, key in ipairs(expansion.keys) do
    walk:breathe()
    if meter then progress.instance(meter) end
    if not (leaves and leaves(key)) then
      local value, sound = plan_one(walk, declaration, instance, expansion, key)
      expansion.instances[key --[[@as any]]] = value
      if not sound then leave_open(walk, declaration, instance, key) end
      all_sound = all_sound and sound == true
    end
  end
  return all_sound
end

-- Expands a resource in all instances of its module. Returns the expansions by instance; none if one failed or imports are wrong.
-- Reference: if one expansion fails, no object of the resource is planned in any of them.
local function expand_all(walk, of, config)
  local declaration, all, sound, misimported = of.declaration, {}, true, false
  for _, instance in ipairs(walk.instances[config]) do
    walk.findings.within = instance
    local expansion, wrong = expand(walk, declaration, instance)
    all[instance], sound, misimported = expansion, sound and expansion ~= nil, misimported or wrong == true
  end
  if sound and not misimported then return all end
  walk.stuck[walk.graph:node(config, of.key)] = true
  -- Reference: if only imports are wrong, the instances are known nevertheless.
  for _, instance in ipairs(sound and walk.instances[config] or {}) do
    local expansion = all[instance]
    instance.resources[declaration.address], expansion.ids = expansion, nil
    put(walk, instance, declaration, expansion)
    for _, key in ipairs(declaration.rules[1] and expansion.keys or {}) do
      walk:check(naming.within(instance.address, naming.instance(declaration.address, key)), "unknown")
    end
  end
  return {}
end

-- Returns the expansion of a resource in an instance of its module. If the expansion is wrong, reports that and returns nil. The call for
-- the module's first instance expands the resource in all instances.
local function expanded(walk, of, instance)
  local all = walk.expanding
  if instance == walk.instances[instance.config][1] then
    all = expand_all(walk, of, instance.config)
    walk.expanding, walk.findings.within = all, instance
  end
  return all[instance]
end

local function plan(walk, of, instance)
  local declaration, run = of.declaration, walk.run
  local expansion = expanded(walk, of, instance)
  if not expansion then return false end
  local leaves = (run.targets or run.mode == "refresh-only") and keeping.of(walk, of, instance) or nil
  if leaves and run.mode == "refresh-only" and declaration.mode == "managed" then
    instance.resources[declaration.address] = expansion
    return keep(walk, declaration, instance, expansion, leaves)
  end
  expansion.waits = declaration.mode == "data" and not run.applies
    and deferred_reads.waits(walk, walk.graph:node(instance.config, of.key), instance, orphans.any)
  expansion.schema = walk.evaluation.schema_of(declaration)
  instance.resources[declaration.address] = expansion
  put(walk, instance, declaration, expansion) -- while instances are planned, they don't see each other
  if expansion.keys[1] ~= nil and not replacement_triggers.check_forms(walk, declaration) then return false end
  local all_sound = plan_all(walk, declaration, instance, expansion, leaves)
  local is_partial = leaves or run.mode == "refresh-only"
  put(walk, instance, declaration, is_partial and keeping.among_names(walk, instance, declaration, expansion, leaves) or expansion)
  if expansion.callers and run.mode ~= "destroy" then
    all_sound = invocations.plan(walk, walk.graph:node(instance.config, of.key), instance, expansion.callers) and all_sound
  end
  walk.findings.resource = nil
  return all_sound
end

function node.run(walk, of, instance)
  if walk.mode == "validate" then return validate(walk, instance, of.declaration) end
  return plan(walk, of, instance)
end

function node.finish(walk, of)
  if walk.mode ~= "plan" or walk.stuck[of] then return true end
  local sound = orphans.allows_rest(walk, of)
  if sound and of.declaration.action_triggers then invocations.leave(walk, of) end
  return sound
end

-- Makes a failed resource without a value unknown if it is a single instance; in a plan its type is unknown too, unless it is ephemeral. A
-- resource with count, for_each or enabled doesn't get a value.
function node.blank(walk, of, instance)
  local declaration = of.declaration
  local home = home_of(instance, declaration)
  if home[declaration.name] ~= nil then return end
  local arguments = declaration.arguments
  if arguments.count or arguments.for_each or arguments.enabled then return end
  home[declaration.name] = walk.mode == "plan" and declaration.mode ~= "ephemeral" and frames.unknown or unknown_single(walk, declaration)
end

function node.forget(walk, of, instance)
  of.waits_for, walk.invocations[of], walk.stuck[of] = nil, nil, nil
  if not walk.twins then home_of(instance, of.declaration)[of.declaration.name] = nil end -- see nodes/named_values.lua
  instance.resources[of.declaration.address] = nil
end

return node
