-- Evaluates the nodes of variables, their validation rules, local values and outputs.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local configuration = lazy "hclexpr.terraform.plan.configuration"
local conditions = lazy "hclexpr.terraform.evaluate.conditions"
local deprecation = lazy "hclexpr.terraform.instance.deprecation"
local frames = require "hclexpr.terraform.instance.frames"
local inputs = require "hclexpr.terraform.tree.inputs"
local places = require "hclexpr.places"
local reading = require "hclexpr.terraform.read.reading"
local naming = require "hclexpr.terraform.language.naming"

local nodes = {}

local marks_within = core.marks_within

local none = {}

-- Variables

local plain_types = setmetatable({}, { __mode = "k" })

--- Returns the type of a variable's or output's values: its constraint without optional().
---@param declaration hclexpr.module.Declaration
---@return hclexpr.Type|string
local function type_of(declaration)
  local constraint = declaration.value_type
  if not constraint then return "any" end
  plain_types[constraint] = plain_types[constraint] or core.type_of_parts("plain", { constraint })
  return plain_types[constraint]
end

local function with_marks(declaration, value)
  if declaration.sensitive then value = value:mark "sensitive" end
  if declaration.ephemeral then value = value:mark "ephemeral" end
  return value
end

local function unknown_of(declaration)
  local value = declaration.unknown
  if not value then
    value = with_marks(declaration, core.unknown(type_of(declaration)))
    declaration.unknown = value
  end
  return value
end

-- Returns what is given to a variable: an Input of the root, or an argument of the module's call; nil if nothing is.
local function given_to(walk, declaration, instance)
  if not instance.parent then return walk.run:given()[declaration.name] end
  return instance.config.arguments[declaration.name]
end

-- Returns the place of a variable's value. A value of the root may lack one (nil); a default in a called module has the place {}, which is
-- nowhere. Reference: values of the root are read after a validate walk, and in the apply of a test their places are unknown.
local function given_place(walk, declaration, instance)
  local given = given_to(walk, declaration, instance)
  if not instance.parent then
    return given and walk.mode ~= "validate" and not walk.run.applies and given.place or nil
  end
  return given and places.of_expression(given.expression) or {}
end

local function check_ephemeral(walk, declaration, instance, value)
  if not marks_within(value) or declaration.ephemeral or not configuration.contains_mark(value, "ephemeral") then return true end
  walk.findings:report("MODULE_EPHEMERAL", given_place(walk, declaration, instance) or places.head_of(declaration), "The variable \"%s\" "
    .. "is not declared as ephemeral, so it can't take a value that is. Set ephemeral = true in its block.", declaration.name)
  return false
end

-- Warns that a deprecated variable is set, unless to null or, in the root, to an unknown value. The place is the argument in the call or,
-- for the root, the variable's `deprecated`.
local function warn_deprecated(walk, declaration, instance, value)
  if value:is_null() or not instance.parent and not value:is_known() then return end
  local attribute = declaration.arguments.deprecated
  walk.findings:report("MODULE_DEPRECATED_VALUE", instance.parent and given_place(walk, declaration, instance)
    or { object = attribute, range = attribute.range }, "The variable \"%s\" is deprecated: %s", declaration.name, declaration.deprecated)
end

-- Returns the value of a variable that isn't given one: its default, or unknown without a default. If the default is wrong, reports that
-- and returns nil.
local function initial_value(walk, declaration)
  local value = declaration.initial
  if not value then
    value = inputs.convert(declaration, {}, walk.findings)
    declaration.initial = value
  end
  return value
end

-- Returns the value of a variable. If the value is wrong, reports that and returns nil.
local function variable_value(walk, declaration, instance)
  local given = given_to(walk, declaration, instance)
  if not given then return initial_value(walk, declaration) end
  if instance.parent then
    local expression = given.expression
    given = { value = walk:value(expression, instance.call_frame, "kept"), expression = expression }
    if given.value == nil then return nil end
  end
  if declaration.deprecated then warn_deprecated(walk, declaration, instance, given.value) end
  local value = inputs.convert(declaration, given, walk.findings)
  if value ~= nil and check_ephemeral(walk, declaration, instance, value) then return value end
end

nodes.variable = {
  -- In a validate walk variables are unknown, but the validation rules of a variable see the value that its call gives.
  run = function(walk, node, instance)
    local declaration, validating = node.declaration, walk.mode == "validate"
    local value
    if not validating or instance.parent then
      value = variable_value(walk, declaration, instance)
    elseif declaration.default == nil or initial_value(walk, declaration) ~= nil then
      value = unknown_of(declaration)
    end
    if value == nil then return false end
    if validating then
      instance.given[declaration.name] = value
      value = unknown_of(declaration)
    end
    instance.names.var[declaration.name] = value
    return true
  end,

  -- In a validate walk the modules of a folder share their names, so a value stays until it is computed again.
  forget = function(walk, node, instance)
    if not walk.twins then instance.names.var[node.declaration.name] = nil end
  end,
}

local function rules_frame(walk, instance, declaration)
  local frame = frames.plain(walk, instance)
  if walk.mode ~= "validate" then return frame end
  local var = {}
  for name, value in pairs(reading.is_alone(declaration) and none or instance.names.var) do var[name] = value end
  var[declaration.name] = instance.given[declaration.name]
  return { instance = instance, context = frame.context, variables = { var = var } }
end

-- Returns the status of a variable's validation rules, whether the rules are sound, and the messages of those that failed. For a default,
-- the result is the same in all modules of a folder if the rules name nothing else. Then the status is stored, unless something was
-- reported, and returned without messages the next time.
local function verdict_of(walk, declaration, instance, address)
  local default = declaration.initial
  local value = walk.mode == "validate" and instance.given[declaration.name] or instance.names.var[declaration.name]
  local alike = default ~= nil and rawequal(value, default) and reading.is_alone(declaration)
  local known = alike and walk.verdicts[declaration]
  if known then return known, true end
  local before = walk.findings.added
  local status, sound, messages = conditions.check_rules(walk, declaration, rules_frame(walk, instance, declaration), function()
    return given_place(walk, declaration, instance) or places.head_of(declaration)
  end, address)
  if alike and sound and walk.findings.added == before then walk.verdicts[declaration] = status end
  return status, sound, messages
end

nodes.validation = {
  run = function(walk, node, instance)
    local address = naming.within(instance.address, node.declaration.address)
    local status, sound, messages = verdict_of(walk, node.declaration, instance, address)
    walk:check(address, status)
    for _, message in ipairs(messages or none) do walk:check(address, status, message) end
    return sound
  end,
}

-- Local values

nodes["local"] = {
  run = function(walk, node, instance)
    local declaration = node.declaration
    if declaration.names_itself ~= false and reading.naming_itself(declaration) then
      reading.tell_itself(walk.findings, declaration, instance.config)
      return false
    end
    local expression = declaration.expression or reading.expression(declaration)
    local value = walk:value(expression, instance.frame or frames.plain(walk, instance))
    if value == nil then return false end
    instance.names["local"][declaration.name] = value
    return true
  end,

  blank = function(_, node, instance)
    instance.names["local"][node.declaration.name] = frames.unknown
  end,

  forget = function(walk, node, instance)
    if not walk.twins then instance.names["local"][node.declaration.name] = nil end
  end,
}

-- Outputs

-- Returns the table with the outputs of a module's instance, as the expressions of its caller see it; nil for the root, or if the
-- call has no such instance.
local function table_of(instance)
  local of_call = instance.parent and instance.parent.children[instance.config.name]
  return of_call and of_call.instances[instance.key] and of_call.outputs[instance.key]
end

-- Sets an output's value; nil removes it.
local function put(walk, node, instance, value)
  local name = node.declaration.name
  if not instance.parent then
    instance.outputs = instance.outputs or {}
    instance.outputs[name] = value
  elseif walk.mode == "plan" then
    local outputs = table_of(instance)
    if outputs then outputs[name] = value and walk.evaluation.deprecations and deprecation.of_output(node.declaration, value) or value end
  end
end

local function check_marks(walk, declaration, instance, value)
  local expression = reading.expression(declaration)
  if not marks_within(value) then return true end
  if not instance.parent and not declaration.sensitive and configuration.contains_mark(value, "sensitive") then
    walk.findings:report("MODULE_SENSITIVE", places.head_of(declaration), "The output \"%s\" shows a sensitive value. Set sensitive = "
      .. "true in its block if that is intended.", declaration.name)
    return false
  elseif not declaration.ephemeral and configuration.contains_mark(value, "ephemeral") then
    walk.findings:report("MODULE_EPHEMERAL", places.of_expression(expression), "The output \"%s\" is not declared as ephemeral, so it "
      .. "can't give a value that is.%s", declaration.name, instance.parent and " Set ephemeral = true in its block." or "")
    return false
  end
  return true
end

local function output_value(walk, declaration, frame)
  local expression = reading.expression(declaration)
  local value = walk:value(expression, frame, declaration.deprecated and "untold" or not frame.instance.parent and "within" or nil)
  local sound = conditions.check_depends_on(walk, declaration, frame)
  if value == nil or not sound then return nil end
  if not declaration.value_type then return value end
  local converted, err = declaration.value_type:convert(value)
  if converted == nil then
    walk.findings:report("MODULE_UNSUITABLE", places.of_expression(expression), "The value of the output \"%s\" doesn't fit its type: %s",
      declaration.name, clause(err))
  end
  return converted
end

nodes.output = {
  run = function(walk, node, instance)
    local declaration, frame = node.declaration, instance.frame or frames.plain(walk, instance)
    if not declaration.arguments.value then return false end -- its absence was reported
    if declaration.plain or reading.is_plain(declaration) then
      local value = walk:value(declaration.expression or reading.expression(declaration), frame, not instance.parent and "within" or nil)
      if value == nil or marks_within(value) and not check_marks(walk, declaration, instance, value) then return false end
      put(walk, node, instance, value)
      return true
    end
    if not instance.parent and declaration.ephemeral and walk.run.keeps_outputs then
      walk.findings:report("MODULE_EPHEMERAL", places.head_of(declaration), "Outputs of the root module are kept, so none can be "
        .. "ephemeral.")
      return false
    end
    local address = naming.within(instance.address, declaration.address)
    if not conditions.hold(walk, declaration.rules, "precondition", frame, address) then return false end
    local value = output_value(walk, declaration, frame)
    if value == nil or not check_marks(walk, declaration, instance, value) then return false end
    if not instance.parent and declaration.deprecated then
      local attribute = declaration.arguments.deprecated
      walk.findings:report("MODULE_STRAY", { object = attribute, range = attribute.range }, "Nothing calls the root module, so none of "
        .. "its outputs can be deprecated.")
      return false
    end
    put(walk, node, instance, with_marks(declaration, value))
    return true
  end,

  blank = function(walk, node, instance)
    if not instance.parent then return end
    put(walk, node, instance, core.unknown(type_of(node.declaration)))
    instance.failed_outputs = instance.failed_outputs or {}
    instance.failed_outputs[node.declaration.name] = true
  end,

  skip = function(walk, node, instance)
    nodes.output.blank(walk, node, instance)
  end,

  forget = function(walk, node, instance)
    put(walk, node, instance, nil)
    if instance.failed_outputs then instance.failed_outputs[node.declaration.name] = nil end
  end,
}

return nodes
