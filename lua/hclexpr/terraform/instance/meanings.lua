-- Finds the meanings of a name and the steps after it: the expressions that give it its value, each with its frame, or what is missing.
-- Explanations follow named values through meanings; unknown_cause.lua uses them to find why a value is unknown.
local blame = require "hclexpr.explain.blame"
local core = require "hclexpr.core"
local frames = require "hclexpr.terraform.instance.frames"
local lazy = require "hclexpr.lazy"
local missing = lazy "hclexpr.terraform.tree.missing"
local naming = require "hclexpr.terraform.language.naming"
local references = require "hclexpr.terraform.read.references"
local sorted = require("hclexpr.util").sorted

local meanings = {}

local EACH, FLAT, joined, rest = blame.EACH, blame.FLAT, blame.joined, blame.rest

---@class hclexpr.module.Home where an expression is evaluated
---@field frame hclexpr.module.Frame
---@field declaration? hclexpr.module.Declaration whose count or for_each gave the frame its key

---@class hclexpr.module.Meaning one part of what a name leads to: an expression, a body, or something missing (cause)
---@field key? string identifies it within a walk
---@field object? hclexpr.Expression|hclexpr.Body
---@field place? table the Attribute or Block that has it
---@field home? hclexpr.module.Home
---@field path? hclexpr.blame.Path a path into its value
---@field deep? boolean
---@field cause? hclexpr.module.Cause
---@field otherwise? hclexpr.module.Meaning[] the meanings that count if everything in `object` is known
---@field late? string the address of a data source that is read during an apply, because something that it depends on changes

---@class hclexpr.module.Cause something missing that keeps a value from being known
---@field kind "variable"|"values"|"data"|"provider"|"function"|"module"|"file"|"outside"
---@field name string
---@field words string words that follow its name: "which has no value"

local function cause(kind, name, words, ...)
  return { { cause = { kind = kind, name = name, words = select("#", ...) > 0 and words:format(...) or words } } }
end

local function step_name(step)
  return step == EACH and "*" or step == FLAT and "**" or tostring(step)
end

-- Returns the meaning of a name whose value is that of an attribute. `name` is for the meaning's key.
local function written(instance, name, attribute, home, path)
  local key = { naming.within(instance.address, name) }
  for i, step in ipairs(path) do key[i + 1] = step_name(step) end
  return { key = table.concat(key, "\0"), object = attribute.expression, place = attribute, home = home, path = path }
end

-- Returns the meaning of a declaration's number of instances: its count, for_each or enabled.
local function counted(walk, instance, declaration)
  local arguments = declaration.arguments
  local attribute = arguments.count or arguments.for_each or arguments.enabled
  if not attribute then return {} end
  return { written(instance, declaration.address .. " " .. attribute.name, attribute, { frame = frames.plain(walk, instance) }, {}) }
end

-- Returns the cause for an undeclared name: a file that can't be read or parsed may declare it.
local function undeclared(instance, ref)
  local folder = instance.config.folder
  if not folder.unsure then return {} end
  local path = folder.torn[1]
  return cause("file", naming.within(instance.config.address, ref.key or ref.name), "which may be declared in %s, a file that %s", path,
    folder.unread[path] and "can't be read" or "doesn't parse")
end

-- Functions that find meanings, by the kind of a reference. `path` is the steps after the reference.
local of = {}

local function root_variable(walk, declaration)
  local given = walk.run:given()[declaration.name]
  if given and given.torn then return cause("values", declaration.address, "which %s may set, a file that can't be read", given.torn) end
  return missing.lacks_value(declaration, walk.run:given()) and cause("variable", declaration.address, "which has no value") or {}
end

function of.variable(walk, ref, home, path)
  local instance = home.frame.instance
  local config = instance.config
  local declaration = config.folder.variables[ref.name]
  if not declaration then return undeclared(instance, ref) end
  if not config.parent then return root_variable(walk, declaration) end
  local given = config.arguments[ref.name] or declaration.arguments.default
  local of_call = config.arguments[ref.name] and { frame = instance.call_frame, declaration = config.call }
  return given and { written(instance, declaration.address, given, of_call or { frame = frames.plain(walk, instance) }, path) } or {}
end

of["local"] = function(walk, ref, home, path)
  local instance = home.frame.instance
  local declaration = instance.config.folder.locals[ref.name]
  if not declaration then return undeclared(instance, ref) end
  return { written(instance, declaration.address, declaration.attribute, { frame = frames.plain(walk, instance) }, path) }
end

-- Returns the meanings of one output of a module's instance, or of all its outputs.
local function outputs(walk, child, name, path)
  local list, folder = {}, child.config.folder
  for _, each in ipairs(type(name) == "string" and { name } or sorted(folder.outputs)) do
    local declaration = folder.outputs[each]
    local value = declaration and declaration.arguments.value
    if value then
      list[#list + 1] = written(child, declaration.address, value, { frame = frames.plain(walk, child) }, path)
      list[#list].deep = name ~= each or nil
    elseif not declaration then
      return undeclared(child, { name = "output." .. each })
    end
  end
  return list
end

-- The largest number of instances searched for one to blame.
local MOST = 100

-- Returns the key of the instance that a name means, and the path after the key. If neither the name nor the path has a key, takes the
-- first instance for which is_to_blame(key, path) is true, or else the first one.
local function instance_key(expansion, ref, path, is_to_blame)
  if expansion.mode == "single" then return false, path end
  if ref.instance ~= nil then return ref.instance, path end
  local step, inner = path[1], rest(path)
  if step ~= nil and type(step) ~= "table" then return step, inner end
  for i = 1, math.min(#expansion.keys, MOST) do
    if is_to_blame(expansion.keys[i], inner) then return expansion.keys[i], inner end
  end
  return expansion.keys[1], inner
end

function of.call(walk, ref, home, path)
  local instance = home.frame.instance
  local config, expansion = instance.config.children[ref.name], instance.children[ref.name]
  if not config then return undeclared(instance, ref) end
  if config.folder.absent then return cause("module", config.address, "which isn't here") end
  if not expansion then return {} end
  if expansion.mode == "unknown" then return counted(walk, instance, config.call) end
  if ref.output then path = joined({ ref.output }, path) end
  local key, inner = instance_key(expansion, ref, path, function(key, behind)
    local value = type(behind[1]) == "string" and expansion.outputs[key] and expansion.outputs[key][behind[1]]
    return value and getmetatable(value) == core.classes.Value and blame.lacks(value, rest(behind))
  end)
  local child = expansion.instances[key]
  return child and outputs(walk, child, inner[1], rest(inner)) or {}
end

of.output = of.call

-- Lists a resource's Attributes and Blocks with a given name.
local function arguments(declaration, name)
  local list = {}
  for _, body in ipairs(declaration.bodies) do
    list[#list + 1] = core.level(body).attributes[name]
    for _, block in ipairs(core.needs_schema(body) and {} or body.blocks) do
      if (block.type == "dynamic" and block.labels[1] or block.type) == name then list[#list + 1] = block end
    end
  end
  return list
end

local function whole(instance, declaration, object, home)
  return { key = table.concat({ naming.within(instance.address, declaration.address), "whole", tostring(object) }, "\0"), object = object,
           home = home, path = {}, deep = true }
end

-- Returns everything that is written in a resource.
local function bodies(instance, declaration, home)
  local list = {}
  for _, body in ipairs(declaration.bodies) do list[#list + 1] = whole(instance, declaration, body, home) end
  return list
end

-- Returns what determines the parts of a resource that aren't written in it. Usually it is the provider. The list is empty if only an apply
-- determines them, as with the built-in provider.
local function unwritten(walk, instance, declaration, expansion, key, home, name)
  local decision = expansion.decisions and expansion.decisions[key]
  local address = naming.within(instance.address, naming.instance(declaration.address, key))
  if decision and decision.unread then
    return cause("data", address, "which wasn't read: neither a state nor a callback provides it")
  elseif expansion.unanswered then
    local schema = walk.evaluation.schema_of(declaration)
    local is_late = not walk.run.applies and walk.evaluation.provider_of(declaration):is_late(schema, name)
    if is_late then return {} end
    return cause("provider", address .. (type(name) == "string" and "." .. name or ""), "which only its provider knows")
  end
  if decision and decision.deferred == "read_because_dependency_pending" then return { { late = address } } end
  local is_given = decision and (decision.before or decision.deferred == "read_because_config_unknown")
  return is_given and bodies(instance, declaration, home) or {}
end

function of.resource(walk, ref, home, path)
  local instance = home.frame.instance
  local declaration = references.resource_in(instance.config.folder, ref.key)
  if not declaration then return undeclared(instance, ref) end
  local expansion = instance.resources[declaration.address]
  if not expansion then return {} end
  if expansion.mode == "unknown" then return counted(walk, instance, declaration) end
  local key, inner = instance_key(expansion, ref, path, function(key, behind)
    local value = expansion.instances[key]
    return value and blame.lacks(value, behind)
  end)
  if key == nil then return {} end
  local of_key = { frame = frames.of_key(walk, instance, key, expansion.values[key]), declaration = declaration }
  local name, list = inner[1], {}
  if type(name) ~= "string" then
    list = bodies(instance, declaration, of_key)
    return #list > 0 and list or unwritten(walk, instance, declaration, expansion, key, of_key)
  end
  for _, place in ipairs(arguments(declaration, name)) do
    if getmetatable(place) == core.classes.Attribute then
      list[#list + 1] = written(instance, naming.instance(declaration.address, key) .. "." .. name, place, of_key, rest(inner))
    else
      list[#list + 1] = whole(instance, declaration, place.body, of_key)
      list[#list].place = place
    end
    list[#list].otherwise = unwritten(walk, instance, declaration, expansion, key, of_key, name)
  end
  return #list > 0 and list or unwritten(walk, instance, declaration, expansion, key, of_key, name)
end

function of.each(walk, ref, home, path)
  local attribute, instance = home.declaration and home.declaration.arguments.for_each, home.frame.instance
  if not attribute then return {} end
  local key = ref.name == "value" and (home.frame.variables and home.frame.variables.each or {}).key
  local into = ref.name == "value" and joined({ type(key) == "string" and key or EACH }, path) or {}
  return { written(instance, home.declaration.address .. " for_each", attribute, { frame = frames.plain(walk, instance) }, into) }
end

function of.count(walk, _, home)
  return home.declaration and counted(walk, home.frame.instance, home.declaration) or {}
end

--- Returns the meanings of a name in source order. The list is empty if only an apply determines the value.
---@param walk hclexpr.module.Walk
---@param ref hclexpr.module.Reference
---@param home hclexpr.module.Home
---@param path? hclexpr.blame.Path a further path, after the steps that are written after the name
---@return hclexpr.module.Meaning[]
function meanings.of(walk, ref, home, path)
  local find = ref.name ~= "" and of[ref.kind]
  if not find then return {} end
  local steps, all = {}, ref.traversal.steps
  for i = ref.rest, #all do steps[#steps + 1] = all[i].kind == "number" and tonumber(all[i].text) or all[i].text end
  return find(walk, ref, home, joined(steps, path or {}))
end

return meanings
