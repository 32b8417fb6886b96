-- Nodes of variables, their rules, local values and outputs.
local core = require "hclexpr.core"
local blocks = require "hclexpr.module.blocks"
local conditions = require "hclexpr.module.conditions"
local frames = require "hclexpr.module.frames"
local instances = require "hclexpr.module.instances"
local places = require "hclexpr.places"
local references = require "hclexpr.module.references"

local nodes = {}

-- Variables

local plain_types = setmetatable({}, { __mode = "k" })

--- The type of a variable's or output's values: its constraint without optional().
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
  return with_marks(declaration, core.unknown(type_of(declaration)))
end

local function place_of(declaration)
  return { object = declaration.block, range = declaration.range }
end

-- A value given to a variable: { value, place, source }. Of a module it is the argument of its call; `place` is nil for what no source
-- has, and `source` says in words where that came from.
local function given_to(walk, declaration, instance)
  if not instance.parent then return walk.module.inputs[declaration.name] or {} end
  local attribute = instance.config.arguments[declaration.name]
  if not attribute then return {} end
  local value = walk:value(attribute.expression, instance.call_frame)
  if value == nil then return nil end
  return { value = value, place = places.of_expression(attribute.expression) }
end

-- How a value that doesn't fit is told: at its place, unless it has none or is a secret's.
local function refuse(walk, declaration, given, text, ...)
  local place, source = given.place or place_of(declaration), ""
  if declaration.sensitive then place = place_of(declaration) end
  if not given.place then source = (" (set by %s)"):format(given.source or "its default") end
  walk.findings:report("MODULE_UNSUITABLE", place, "The value of the variable \"%s\"%s %s", declaration.name, source, text:format(...))
end

local function check_ephemeral(walk, declaration, given, value)
  if declaration.ephemeral or not blocks.contains_mark(value, "ephemeral") then return true end
  walk.findings:report("MODULE_EPHEMERAL", given.place or place_of(declaration), "The variable \"%s\" is not declared as ephemeral, so it "
    .. "can't take a value that is. Set ephemeral = true in its block.", declaration.name)
  return false
end

-- The value that a variable has when it is given one; nil: it can't have that, and this was reported.
local function prepare(walk, declaration, given)
  local value = given.value
  if value == nil then value = declaration.default end
  if value == nil then return unknown_of(declaration) end
  if declaration.value_type then
    local converted, err = declaration.value_type:convert(value)
    if converted == nil then
      refuse(walk, declaration, given, "doesn't fit its type: %s", (err[1].detail:gsub("^%u", string.lower)))
      return nil
    end
    value = converted
  end
  if declaration.nullable == false and value:unmark():is_known() and value:unmark():is_null() then
    if declaration.default == nil then
      refuse(walk, declaration, given, "is null, which its nullable = false rules out. Give it another value.")
      return nil
    end
    value = declaration.default
  end
  if not check_ephemeral(walk, declaration, given, value) then return nil end
  return with_marks(declaration, value)
end

-- What is deprecated and set: told at the argument, or, of the root, where the variable says so.
local function warn_deprecated(walk, declaration, given, instance)
  local value = given.value and given.value:unmark()
  if not declaration.deprecated or not value or value:is_known() and value:is_null() then return end
  if not instance.parent and not value:is_known() then return end
  local attribute = declaration.arguments.deprecated
  walk.findings:report("MODULE_DEPRECATED_VALUE", instance.parent and given.place or { object = attribute, range = attribute.range },
    "The variable \"%s\" is deprecated: %s", declaration.name, declaration.deprecated)
end

nodes.variable = {
  run = function(walk, node, instance)
    local declaration = node.declaration
    local validating = walk.mode == "validate"
    local given = {}
    if not (validating and not instance.parent) then given = given_to(walk, declaration, instance) end
    if not given then return false end
    if validating and not instance.parent then
      instance.given[declaration.name] = { value = unknown_of(declaration), place = place_of(declaration) }
      instance.names.var[declaration.name] = instance.given[declaration.name].value
      return true
    end
    warn_deprecated(walk, declaration, given, instance)
    local value = prepare(walk, declaration, given)
    if value == nil then return false end
    instance.given[declaration.name] = { value = value, place = given.place or not instance.parent and place_of(declaration) or {} }
    instance.names.var[declaration.name] = validating and unknown_of(declaration) or value
    return true
  end,

  forget = function(_, node, instance)
    instance.names.var[node.declaration.name], instance.given[node.declaration.name] = nil, nil
  end,
}

-- In a validate walk variables are unknown, but a variable's own rules see the value that it is given.
local function rules_frame(walk, instance, declaration)
  local frame = frames.plain(walk, instance)
  if walk.mode ~= "validate" then return frame end
  local var = {}
  for name, value in pairs(instance.names.var) do var[name] = value end
  var[declaration.name] = instance.given[declaration.name].value
  return { instance = instance, context = frame.context, variables = { var = var } }
end

nodes.validation = {
  run = function(walk, node, instance)
    local declaration = node.declaration
    local frame = rules_frame(walk, instance, declaration)
    local status, sound = conditions.check_rules(walk, declaration, frame, instance.given[declaration.name].place)
    walk:check(instances.within(instance.address, declaration.address), status)
    return sound
  end,
}

-- Local values

local function names_itself(walk, expression, ref_key, config)
  local found = false
  for _, ref in ipairs(references.of(expression).refs) do
    if ref.key == ref_key then
      walk.findings:report("MODULE_SELF", { object = expression, range = ref.range }, "The value of %s can't be made of itself. Take the "
        .. "reference out, or name another one, in %s.", ref_key, config.place)
      found = true
    end
  end
  return found
end

nodes["local"] = {
  run = function(walk, node, instance)
    local expression = node.declaration.attribute.expression
    if names_itself(walk, expression, node.key, node.config) then return false end
    local value = walk:value(expression, frames.plain(walk, instance))
    if value == nil then return false end
    instance.names["local"][node.declaration.name] = value
    return true
  end,

  blank = function(_, node, instance)
    instance.names["local"][node.declaration.name] = frames.unknown
  end,

  forget = function(_, node, instance)
    instance.names["local"][node.declaration.name] = nil
  end,
}

-- Outputs

-- The table of the outputs of an instance of a module, among the names of its caller.
local function table_of(instance)
  local of_call = instance.parent and instance.parent.children[instance.config.name]
  return of_call and of_call.instances[instance.key] and of_call.outputs[instance.key]
end

local function put(walk, node, instance, value)
  local name = node.declaration.name
  if not instance.parent then
    instance.outputs = instance.outputs or {}
    instance.outputs[name] = value
  elseif walk.mode == "plan" then
    local outputs = table_of(instance)
    if outputs then outputs[name] = value end
  end
end

local function check_marks(walk, declaration, instance, value)
  local expression = declaration.arguments.value.expression
  if not instance.parent and not declaration.sensitive and blocks.contains_mark(value, "sensitive") then
    walk.findings:report("MODULE_SENSITIVE", place_of(declaration), "The output \"%s\" shows a sensitive value. Set sensitive = true "
      .. "in its block if that is meant.", declaration.name)
    return false
  elseif not declaration.ephemeral and blocks.contains_mark(value, "ephemeral") then
    walk.findings:report("MODULE_EPHEMERAL", places.of_expression(expression), "The output \"%s\" is not declared as ephemeral, so it "
      .. "can't give a value that is.%s", declaration.name, instance.parent and " Set ephemeral = true in its block." or "")
    return false
  end
  return true
end

local function output_value(walk, declaration, frame)
  local expression = declaration.arguments.value.expression
  local value = walk:value(expression, frame)
  local sound = conditions.check_depends_on(walk, declaration, frame)
  if value == nil or not sound then return nil end
  if not declaration.value_type then return value end
  local converted, err = declaration.value_type:convert(value)
  if converted == nil then
    walk.findings:report("MODULE_UNSUITABLE", places.of_expression(expression), "The value of the output \"%s\" doesn't fit its type: %s",
      declaration.name, (err[1].detail:gsub("^%u", string.lower)))
  end
  return converted
end

local function check_preconditions(walk, declaration, instance, frame)
  local address, sound = instances.within(instance.address, declaration.address), true
  for _, rule in ipairs(declaration.rules) do
    local status = conditions.check(walk, rule, frame)
    walk:check(address, status)
    if status == "fail" or status == "error" then sound = false end
  end
  return sound
end

nodes.output = {
  run = function(walk, node, instance)
    local declaration, frame = node.declaration, frames.plain(walk, instance)
    if not instance.parent and declaration.ephemeral then
      walk.findings:report("MODULE_EPHEMERAL", place_of(declaration), "Outputs of the root module are kept, so none can be ephemeral.")
      return false
    end
    if not check_preconditions(walk, declaration, instance, frame) then return false end
    local value = output_value(walk, declaration, frame)
    if value == nil or not check_marks(walk, declaration, instance, value) then return false end
    if declaration.sensitive then value = value:mark "sensitive" end
    put(walk, node, instance, value)
    return true
  end,

  blank = function(walk, node, instance)
    if instance.parent then put(walk, node, instance, core.unknown(type_of(node.declaration))) end
  end,

  skip = function(walk, node, instance)
    nodes.output.blank(walk, node, instance)
  end,

  forget = function(walk, node, instance)
    put(walk, node, instance, nil)
  end,
}

return nodes
