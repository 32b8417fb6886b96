-- Evaluates the nodes of module calls (their opening and closing), checks and providers.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local certain = require("hclexpr.check").certain
local configuration = lazy "hclexpr.terraform.plan.configuration"
local conditions = lazy "hclexpr.terraform.evaluate.conditions"
local deprecation = lazy "hclexpr.terraform.instance.deprecation"
local dependencies = require "hclexpr.terraform.read.dependencies"
local frames = require "hclexpr.terraform.instance.frames"
local instances = require "hclexpr.terraform.instance.instances"
local naming = require "hclexpr.terraform.language.naming"

local nodes = {}

-- Calls

local any, nothing = certain(core.type "any"), core.value(core.null)

local function plain_type(declaration)
  return declaration.value_type and core.type_of_parts("plain", { declaration.value_type }) or any
end

-- Returns the unknown values of a folder's outputs. They are cached, because a folder may have many calls.
local function unknown_outputs(folder)
  local values = folder.cache.unknown_outputs
  if not values then
    values = {}
    for name, declaration in pairs(folder.outputs) do
      local value = certain(core.unknown(plain_type(declaration)))
      values[name] = declaration.deprecated and deprecation.of_output(declaration, value) or value
    end
    folder.cache.unknown_outputs = values
  end
  return values
end

-- Returns the type of an object with all outputs of a module; whether all outputs have a type without `any`; and whether any output has a
-- type.
local function object_type(config)
  local parts, exact, typed = {}, true, false
  for name, declaration in pairs(config.folder.outputs) do
    parts[name] = plain_type(declaration)
    typed = typed or declaration.value_type ~= nil
    exact = exact and declaration.value_type ~= nil and not core.type_has_any(parts[name])
  end
  return core.type_of_parts("object", parts), exact, typed
end

-- Returns the value of `module.m` while its instances are unknown.
local function unknown_module(config, declaration)
  if config.folder.absent then return frames.missing end
  if declaration.arguments.enabled then return frames.unknown end
  local repeated = declaration.arguments.count and "list" or declaration.arguments.for_each and "map"
  if not repeated then return unknown_outputs(config.folder) end
  local of_object, exact, typed = object_type(config)
  if typed and not exact then return frames.unknown end
  return core.unknown(core.type_of_parts(repeated, { of_object }))
end

-- Makes the table of `module.m`, into which the module's outputs are put one by one. expansion.outputs has the table of each instance's
-- outputs, by key. The outputs of a missing module are unknown. If `enabled` is false, returns null instead.
local function module_table(expansion, folder)
  local outputs, whole, count = {}, {}, dependencies.outline(folder).count.output or 0
  for i, key in ipairs(expansion.keys) do
    outputs[key] = folder.absent and frames.missing or core.table_for(count)
    if expansion.mode == "single" then whole = outputs[key] else whole[type(key) == "number" and i or key] = outputs[key] end
  end
  expansion.outputs = outputs
  if expansion.disabled then return core.value(core.null) end
  return expansion.mode == "count" and setmetatable(whole, core.array_mt) or whole
end

local function add_instance(walk, config, instance)
  local list = walk.instances[config]
  if not list then
    list = {}
    walk.instances[config] = list
  end
  list[#list + 1] = instance
end

local function enter_one(walk, config, instance, expansion, key)
  -- In a module that is planned partly, outputs that aren't evaluated are unknown.
  for name in pairs(walk.run.targets and expansion.outputs and config.folder.outputs or {}) do
    expansion.outputs[key][name] = frames.unknown
  end
  local child = instances.new(walk, config, instance, key, expansion.values and expansion.values[key])
  expansion.instances[key] = child
  add_instance(walk, config, child)
end

-- Sets the outputs of a module to given values (from a test). Outputs without a given value are null.
local function put_outputs(walk, config, outputs, given)
  for name, declaration in pairs(config.folder.outputs) do
    local value = given[name] or nothing
    if declaration.sensitive then value = value:mark "sensitive" end
    outputs[name] = walk.evaluation.deprecations and deprecation.of_output(declaration, value) or value
  end
end

local function enter(walk, node, instance, expansion)
  local name, outputs_for = node.declaration.name, expansion.outputs and walk.run.outputs_for
  local config = instance.config.children[name]
  instance.children[name] = expansion
  for _, key in ipairs(expansion.keys) do
    walk:breathe()
    local given = outputs_for and outputs_for(config, instance, key)
    if given then put_outputs(walk, config, expansion.outputs[key], given) else enter_one(walk, config, instance, expansion, key) end
  end
end

-- Forgets the instances of a Config and of all Configs in it.
local function leave(walk, config)
  walk.instances[config] = nil
  for _, child in pairs(config.children) do leave(walk, child) end
end

local function validate_call(walk, node, instance)
  local declaration, frame = node.declaration, frames.plain(walk, instance)
  local sound = instances.check(walk, declaration, instance)
  sound = conditions.check_depends_on(walk, declaration, frame) and sound
  enter(walk, node, instance, { mode = "single", keys = { false }, instances = {} })
  instance.names.module[declaration.name] = unknown_module(instance.config.children[declaration.name], declaration)
  return sound
end

nodes.call = {
  run = function(walk, node, instance)
    if not instance.config.children[node.declaration.name] then return false end
    if walk.mode == "validate" then return validate_call(walk, node, instance) end
    local expansion = instances.expand(walk, node.declaration, instance)
    if not expansion then return false end
    local folder = instance.config.children[node.declaration.name].folder
    expansion.whole = expansion.mode == "unknown" and frames.unknown or module_table(expansion, folder)
    instance.names.module[node.declaration.name] = expansion.whole
    enter(walk, node, instance, expansion)
    return true
  end,

  -- In a validate walk, puts the module's changed outputs among the names.
  renew = function(_, node, instance)
    local name = node.declaration.name
    if instance.children[name] then instance.names.module[name] = unknown_module(instance.config.children[name], node.declaration) end
  end,

  blank = function(_, node, instance)
    instance.names.module[node.declaration.name] = frames.unknown
  end,

  skip = function(_, node, instance)
    instance.names.module[node.declaration.name] = frames.unknown
  end,

  forget = function(walk, node, instance)
    instance.names.module[node.declaration.name], instance.children[node.declaration.name] = nil, nil
    local config = instance.config.children[node.declaration.name]
    if config then leave(walk, config) end
  end,
}

-- Converts the value of a module with instances to a list or map if all its outputs have types. Other modules remain tables, because most
-- are never used as a whole.
local function typed(config, declaration, whole)
  local of_object, exact = object_type(config)
  if not exact then return whole end
  return core.type_of_parts(declaration.arguments.count and "list" or "map", { of_object }):convert(whole) or whole
end

nodes.close = {
  run = function(walk, node, instance)
    local declaration = node.declaration
    local name, arguments = declaration.name, declaration.arguments
    local expansion = walk.mode == "plan" and (arguments.count or arguments.for_each) and instance.children[name]
    if expansion and expansion.mode ~= "unknown" and not instance.config.children[name].folder.absent then
      instance.names.module[name] = typed(instance.config.children[name], declaration, expansion.whole)
    end
    return true
  end,
}
-- A skipped closing does the same, because the outputs that weren't evaluated are unknown by then.
nodes.close.skip = nodes.close.run

-- Checks

nodes.check = {
  run = function(walk, node, instance)
    local declaration = node.declaration
    local frame, address, sound = frames.of_check(walk, instance, declaration), naming.within(instance.address, node.key), true
    -- The status is already "fail" if the check's data source couldn't be read; that was reported.
    if walk.checks[address] == "fail" then return true end
    for _, rule in ipairs(declaration.rules) do
      if walk.mode == "validate" then
        sound = conditions.validate_assertion(walk, rule, frame) and sound
      else
        local status = conditions.check(walk, rule, frame, address)
        sound = sound and status ~= "error"
      end
    end
    return sound
  end,
}

-- Providers

nodes.provider = {
  run = function(walk, node, instance)
    local declaration = node.declaration
    local configured = walk.run.configured
    if configured and not instance.parent and configured[declaration.key] then return true end
    return configuration.evaluate(walk, declaration, walk.evaluation.schema_of(declaration), frames.plain(walk, instance)) ~= nil
  end,
}

return nodes
