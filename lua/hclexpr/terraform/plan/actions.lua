-- Checks the language's `action` blocks and the triggers of resources that run them. (These aren't the actions of a plan, which are in
-- change.lua.) An action's configuration is evaluated for each resource that triggers it, its `caller`; an action without triggers is
-- evaluated by itself.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local clause = require("hclexpr.findings").clause
local configuration = require "hclexpr.terraform.plan.configuration"
local Findings = require "hclexpr.terraform.language.findings"
local frames = require "hclexpr.terraform.instance.frames"
local instances = require "hclexpr.terraform.instance.instances"
local places = require "hclexpr.places"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local references = require "hclexpr.terraform.read.references"
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"

local actions = {}

local bool = certain(core.type "bool")

-- Types

--- Reports actions whose provider lacks their type; returns nil if all types are known. After such a report nothing else is reported.
---@param module hclexpr.Module
---@return hclexpr.Diagnostics?
function actions.unknown_types(module)
  local found = Findings.new()
  for _, node in ipairs(module.evaluation.graph:of_list "actions") do
    local declaration = node.declaration
    local schema, known = module.evaluation.schema_of(declaration)
    if known and not schema then
      -- Reference: the report lacks a place.
      found:report("MODULE_TYPE_UNKNOWN", {}, "The provider of %s has no action of the type %s. Look up its name, or name the provider "
        .. "that has it: provider = ...", module.evaluation.graph.id(node), core.quote(declaration.type))
    end
  end
  return found:diagnostics()
end

-- Configurations

-- Reports the missing required arguments of an action without a `config` block. Reference: the report has no place.
local function check_absent(walk, declaration, schema)
  local lacking = {}
  for name, wanted in pairs(schema and not declaration.config and prepared_schemas.of(schema).attributes or {}) do
    if wanted.row.required then lacking[#lacking + 1] = name end
  end
  table.sort(lacking)
  for _, name in ipairs(lacking) do
    walk.findings:report("MODULE_CONFIGURED", {}, "%s needs a value of %s: config { %s = ... }", declaration.address, name, name)
  end
  return #lacking == 0
end

--- Checks an action without values.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@param caller? hclexpr.module.Declaration the resource that triggers the action
---@param self? any the value of that resource
---@return boolean sound
function actions.check(walk, declaration, instance, caller, self)
  local arguments = declaration.arguments
  local frame = frames.unknown_key(walk, instance, arguments.count ~= nil, arguments.for_each ~= nil)
  if caller then frame = frames.with_self(walk, frame, caller, self) end
  local schema = walk.evaluation.schema_of(declaration)
  local sound = instances.check(walk, declaration, instance)
  if not check_absent(walk, declaration, schema) then return false end
  return configuration.evaluate(walk, declaration, schema, frame, true) ~= nil and sound
end

-- Keys of the instances of actions that triggers name

local ANY = {} -- a key that isn't known yet

local function refuse(walk, called, text, ...)
  walk.findings:report("MODULE_INSTANCE_KEY", called.place, text, ...)
  return false
end

-- Returns the key of the action that an element of a trigger names, for an instance of a resource: nil (no key), a constant, or the key of
-- that instance, which is ANY in a check without values. If the key is wrong, reports that, and the second result is true.
local function key_of(walk, called, arguments, key)
  local tree = called.expression:ast()
  if tree.kind == "traversal" then
    return references.of(called.expression)[1].instance, false
  end
  if tree.kind == "relative" then
    local range = { filename = tree.range.filename, start = tree.source.range.stop, stop = tree.range.stop }
    walk.findings:report("MODULE_REFERENCE", { object = called.expression, range = range }, "Actions have no attributes.")
    return nil, true
  end
  local index = tree.kind == "index" and tree.key
  if not index or tree.collection.kind ~= "traversal" then
    return nil, not refuse(walk, called, "Write an action alone, or with the key of an instance: action.type.name[each.key]")
  end
  local place = { object = called.expression, range = index.range }
  local name = index.kind == "traversal" and #index.steps == 1 and index.root .. "." .. tostring(index.steps[1])
  local argument = name == "count.index" and "count" or name == "each.key" and "for_each"
  if not argument then
    walk.findings:report("MODULE_INSTANCE_KEY", place, "The key of an action's instance must be a constant, count.index or each.key.")
    return nil, true
  elseif not arguments[argument] then
    walk.findings:report("MODULE_CONTEXT", place, "%s exists only in a resource with the argument %s.", name, argument)
    return nil, true
  end
  if key == nil then return ANY, false end
  return key, false
end

-- Returns true if an action has instances with keys of this kind; otherwise reports the mistake.
local function check_key(walk, called, declaration, key)
  local counted, each = declaration.arguments.count, declaration.arguments.for_each
  if not counted and not each then
    return key == nil or refuse(walk, called, "%s has neither count nor for_each, so it has no instances. Remove the key.", called.key)
  elseif key == nil then
    return refuse(walk, called, "%s has %s, so it is several instances. Name one: %s[%s]", called.key, counted and "count" or "for_each",
      called.key, counted and "0" or '"..."')
  end
  local wanted = counted and "number" or "string"
  return key == ANY or type(key) == wanted or refuse(walk, called, "%s has %s, so its keys are %s.", called.key,
    counted and "count" or "for_each", counted and "numbers" or "texts")
end

-- Triggers

local function names_self(object)
  return references.chosen(object, function(ref) return ref.kind == "self" end) ~= nil
end

-- Reports mistakes in a condition that can be found without values. Only a plan reports other mistakes.
local function check_condition(walk, declaration, trigger)
  local condition, events, sound = trigger.condition and trigger.condition.expression, trigger.events, true
  if not condition then return true end
  local function report(row, range, text, ...)
    walk.findings:report(row, range and { object = condition, range = range } or places.of_expression(condition), text, ...)
    sound = false
  end
  if events.before_create and names_self(condition) then
    report("MODULE_RULE", nil, "Before its creation the resource has no values, so self can't be used with before_create.")
  end
  if events.before_destroy or events.after_destroy then
    report("MODULE_RULE", nil, "A trigger with before_destroy or after_destroy can't have a condition.")
  end
  for _, ref in ipairs(references.chosen(condition, function(ref) return ref.key == declaration.address end) or {}) do
    report("MODULE_SELF", ref.range, "A condition of %s can't refer to it by name. Write self.", declaration.address)
  end
  return sound
end

-- Returns the places where an action refers to resources for which is(reference) is true.
local function names_of(action, is)
  local found = {}
  for _, object in ipairs(dependencies.parts(action)) do
    for _, ref in ipairs(references.chosen(object, is) or {}) do found[#found + 1] = { object = object, range = ref.range } end
  end
  return found
end

-- Warns of an action that refers by name to the resource that triggers it, instead of to `caller`.
local function warn_of_names(walk, declaration, action)
  local places_of = names_of(action, function(ref) return ref.key == declaration.address and (ref.attribute or ref.instance ~= nil) end)
  for _, place in ipairs(places_of) do
    walk.findings:report("MODULE_CALLER", place, "%s triggers this action. Write caller in its place: then it is clear that nothing "
      .. "waits for itself.", declaration.address)
  end
end

--- Reports resources that trigger an action but are named in its count or for_each, because a plan evaluates these arguments first.
---@param walk hclexpr.module.Walk
---@param action hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@return boolean sound
function actions.check_order(walk, action, instance)
  local callers, sound = dependencies.callers(instance.config.folder, action.address), true
  for _, name in ipairs { "count", "for_each" } do
    local expression = action.arguments[name] and action.arguments[name].expression
    for _, ref in ipairs(expression and references.chosen(expression, function(ref) return callers[ref.key] end) or {}) do
      walk.findings:report("MODULE_SELF", { object = expression, range = ref.range }, "%s triggers this action, and has no value until "
        .. "the instances of the action are known.", ref.key)
      sound = false
    end
  end
  return sound
end

--- Runs a function while those callers of the action that weren't evaluated yet are unknown. The action's configuration may refer to them.
---@param action hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@param act fun(): any
---@return any result of act
function actions.with_callers(action, instance, act)
  local callers, put = dependencies.callers(instance.config.folder, action.address), {}
  for _, object in ipairs(dependencies.parts(action)) do
    for _, ref in ipairs(references.of(object)) do
      local declaration = callers[ref.key or ""] and instance.config.folder.resources[ref.key]
      local home = declaration and instances.home(instance.all, declaration)
      if home and home[declaration.name] == nil then
        home[declaration.name] = frames.unknown
        put[#put + 1] = { home, declaration.name }
      end
    end
  end
  local result = act()
  for _, row in ipairs(put) do row[1][row[2]] = nil end
  return result
end

--- Checks the triggers of a resource without values. `self` is the value of the resource.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@param self any
---@return boolean sound
function actions.validate(walk, declaration, instance, self)
  local sound, seen, list = true, {}, {}
  for _, trigger in ipairs(declaration.action_triggers or {}) do
    sound = check_condition(walk, declaration, trigger) and sound
    for _, called in ipairs(trigger.actions) do
      local action = instance.config.folder.actions[called.key]
      local key, wrong = key_of(walk, called, declaration.arguments)
      sound = sound and not wrong and action ~= nil -- an undeclared action was reported
      if action and not seen[action] then list[#list + 1], seen[action] = action, true end
      -- Reference: after a mistake keys aren't checked.
      if sound then
        sound = check_key(walk, called, action, key)
        warn_of_names(walk, declaration, action)
      end
    end
  end
  for _, action in ipairs(list) do
    sound = actions.with_callers(action, instance, function() return actions.check(walk, action, instance, declaration, self) end) and sound
  end
  return sound
end

--- Returns true if a condition is true or unknown, otherwise false. If the condition is wrong, reports that and returns nil. Reference:
--- null counts as false.
---@param walk hclexpr.module.Walk
---@param condition hclexpr.Expression
---@param frame hclexpr.module.Frame
---@return boolean?
function actions.holds(walk, condition, frame)
  local value = walk:value(condition, frame)
  if value == nil then return nil end
  local converted, err = bool:convert(value)
  if converted == nil then
    walk.findings:report("MODULE_CONDITION", places.of_expression(condition), "This is not a condition: %s", clause(err))
    return nil
  end
  local plain = converted:unmark()
  return not plain:is_known() or not plain:is_null() and plain:text() == "true"
end

-- Returns true if an instance with a key exists. The key must have the right type.
local function has_instance(expansion, key)
  if expansion.mode == "unknown" then return true end
  if expansion.mode == "count" then return key >= 0 and key < #expansion.keys end
  return expansion.mode == "single" or expansion.values[key] ~= nil
end

--- Finds the instance of an action that an element of a trigger names for an instance of a resource. If something is wrong, reports that
--- and returns nil.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@param of integer|string|false the key of the resource's instance
---@param called table an element of a trigger
---@return hclexpr.module.Declaration? action
---@return integer|string|false|nil key
---@return hclexpr.module.Frame? frame the frame of its configuration
function actions.instance_of(walk, declaration, instance, of, called)
  local action, expansion = instance.config.folder.actions[called.key], instance.resources[called.key]
  if not action then return nil end
  local named, wrong = key_of(walk, called, declaration.arguments, of)
  if wrong or not check_key(walk, called, action, named) then return nil end
  local key = named ~= nil and named
  if not has_instance(expansion, key) then
    refuse(walk, called, "The instance %s is missing.", naming.instance(called.key, key))
    return nil
  end
  if expansion.mode ~= "unknown" then return action, key, frames.of_key(walk, instance, key, expansion.values[key]) end
  return action, key, frames.unknown_key(walk, instance, action.arguments.count ~= nil, action.arguments.for_each ~= nil)
end

return actions
