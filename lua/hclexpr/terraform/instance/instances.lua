-- Expands resources and calls into instances by `count`, `for_each` and `enabled`, and makes instances of modules with their names.
local lazy = require "hclexpr.lazy"
local blame = lazy "hclexpr.explain.blame"
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local dependencies = require "hclexpr.terraform.read.dependencies"
local frames = require "hclexpr.terraform.instance.frames"
local missing = lazy "hclexpr.terraform.tree.missing"
local unknown_cause = lazy "hclexpr.terraform.instance.unknown_cause"
local places = require "hclexpr.places"
local naming = require "hclexpr.terraform.language.naming"
local type_text = require("hclexpr.util").type_text

local instances = {}

local number = certain(core.type "number")

-- What an instance costs without its evaluations, in steps and bytes.
local STEPS_EACH, BYTES_EACH = 100, 512

-- What reading an instance's key costs, as a share of planning the instance (Walk:breathe).
instances.LOOK = 1 / 64

local function has_mark(value, name)
  for _, mark in ipairs(value:marks()) do
    if mark == name then return true end
  end
  return false
end
instances.has_mark = has_mark

local function refuse(walk, row, expression, text, ...)
  walk.findings:report(row, places.of_expression(expression), text, ...)
end

local EPHEMERAL = "%s comes from an ephemeral value, which the next plan won't have. Instances are stored, so use a value that isn't "
  .. "ephemeral."

-- The argument count

-- Returns the number of instances as a Lua number, and whether it is secret. Returns nil if the number isn't known. If count is wrong,
-- reports that and returns false.
local function count_of(walk, expression, frame)
  local value = walk:value(expression, frame)
  if value == nil then return false end
  local converted, err = number:convert(value)
  if converted == nil then
    refuse(walk, "MODULE_COUNT", expression, "count must be a number: %s", err[1].detail)
    return false
  end
  if has_mark(converted, "ephemeral") then
    refuse(walk, "MODULE_COUNT", expression, EPHEMERAL, "count")
    return false
  end
  local secret = has_mark(converted, "sensitive")
  converted = converted:unmark()
  if not converted:is_known() then return nil end
  if converted:is_null() then
    refuse(walk, "MODULE_COUNT", expression, "count is null. Give it a whole number, or leave it out for a single instance.")
    return false
  end
  -- Reads the digits, because Lua would round 1.00000000000000000001 to 1.
  local n = tonumber(converted:text():match "^%d+$")
  if not n or n > 2^63 then
    refuse(walk, "MODULE_COUNT", expression, "count is %s, but it must be a whole number, at least 0.",
      secret and "a secret" or converted:text())
    return false
  end
  return n, secret
end

-- The argument for_each

local kinds = { map = true, object = true, set = true }

local function set_fault(walk, value)
  if tostring(value:type()) ~= "set(string)" then
    return ("for_each must be a set of strings, but this is a %s. Convert its elements: toset([for x in ... : tostring(x)]).")
      :format(type_text(value))
  end
  for _, element in value:pairs() do
    walk:breathe(instances.LOOK)
    if element:is_null() then return "This set contains null, which can't be the key of an instance. Remove it." end
  end
end

-- Returns what is wrong with a value for for_each, or nil if its known parts are correct.
local function each_fault(walk, value)
  if has_mark(value, "sensitive") then
    return "for_each is sensitive, but its keys are shown in the addresses of the instances. Only the values of a map may be secrets."
  elseif has_mark(value, "ephemeral") then
    return EPHEMERAL:format "for_each"
  end
  local marked = value
  value = value:unmark()
  local kind = core.kind(value)
  if value:is_null() then return "for_each is null. Give it a map or a set of strings, {} for no instances." end
  if kind == "dynamic" then return nil end
  if not kinds[kind] then
    return ("for_each must be a map or a set of strings, but this is a %s. toset() makes a set of a list.")
      :format(type_text(marked))
  end
  if not value:is_known() then return nil end
  if kind == "set" and value:is_wholly_known() and #value > 0 then return set_fault(walk, value) end
end

local function check_each(walk, expression, value)
  local why = each_fault(walk, value)
  if why then refuse(walk, "MODULE_FOR_EACH", expression, "%s", why) end
  return not why
end

local UNKNOWN = "%s known only after an apply, so the instances are unknown.%s Take %s known beforehand."
local LATE = " %s is read during the apply, since something that it depends on changes."

-- Expansion

local function too_many(walk, expression, n, secret)
  local steps, bytes = core.spend(walk.scope, 0, 0)
  local limit = math.floor(math.min(steps / STEPS_EACH, bytes / BYTES_EACH))
  if n <= limit and walk:charge(n * STEPS_EACH, n * BYTES_EACH) then return false end
  refuse(walk, "MODULE_INSTANCES", expression, "This makes %s instances, and limits.%s allows %.0f here. Make fewer, or raise the limit.",
    secret and "too many" or ("%.0f"):format(n), steps / STEPS_EACH < bytes / BYTES_EACH and "steps" or "memory", limit)
  return true
end

-- Returns an expansion without known instances if they depend on something missing. If only an apply shows the instances, reports that and
-- returns nil.
local function unknown(walk, row, expression, frame, name, words, path)
  local excused, late = unknown_cause.excuses(walk, expression, { frame = frame },
    { path = path, name = name, so = "which instances there are" })
  if excused then return { mode = "unknown", keys = {}, values = {}, instances = {} } end
  refuse(walk, row, expression, UNKNOWN, words[1], late and LATE:format(late) or "", words[2])
end

-- Makes the table for the values of instances. For a resource it is a family (core.family), which holds them as Values.
local function room_for(declaration, kind, n)
  return declaration.kind == "resource" and core.family(kind, n) or {}
end

local function expand_count(walk, declaration, frame)
  local expression = declaration.arguments.count.expression
  local n, secret = count_of(walk, expression, frame)
  if n == false then return nil end
  if n == nil then
    return unknown(walk, "MODULE_COUNT", expression, frame, "count", { "count is", "a number" })
  end
  if too_many(walk, expression, n, secret) then return nil end
  local keys = {}
  for i = 1, n do keys[i] = i - 1 end
  return { mode = "count", keys = keys, values = {}, instances = room_for(declaration, "numbers", n) }
end

local function expand_each(walk, declaration, frame)
  local expression = declaration.arguments.for_each.expression
  local value = walk:value(expression, frame)
  if value == nil then return nil end
  local kind = core.kind(value)
  local plain = value:unmark()
  if not plain:is_known() or kind == "set" and not plain:is_wholly_known() then
    -- If for_each is secret, that is reported first.
    if not check_each(walk, expression, value) then return nil end
    local is_set = kind == "set"
    return unknown(walk, "MODULE_FOR_EACH", expression, frame, "for_each", { is_set and "The elements of this set are"
      or "The keys of this map are", "a map whose keys are" }, is_set and { blame.EACH } or nil)
  end
  if not check_each(walk, expression, value) or too_many(walk, expression, #value) then return nil end
  local keys, values = {}, kind == "set" and {} or setmetatable({}, { __index = function(_, key) return value:get(key) end })
  for key, element in value:pairs() do
    walk:breathe(instances.LOOK)
    if kind == "set" then
      key = element:text()
      values[key] = key
    end
    keys[#keys + 1] = key
  end
  return { mode = "for_each", keys = keys, values = values, instances = room_for(declaration, "names", #keys) }
end

-- The argument enabled

local bool = certain(core.type "bool")

-- Returns whether an instance exists (nil if that isn't known), and true. If the argument is wrong, reports that and returns nil and false.
-- Only ephemeral resources may depend on ephemeral values.
local function is_enabled(walk, declaration, frame)
  local expression = declaration.arguments.enabled.expression
  local value = walk:value(expression, frame)
  if value == nil then return nil, false end
  local converted, err = bool:convert(value)
  local why
  if converted == nil then why = err[1].detail
  elseif has_mark(converted, "ephemeral") and declaration.mode ~= "ephemeral" then why = EPHEMERAL:format "enabled"
  elseif has_mark(converted, "sensitive") then why = "It can't be sensitive, because the plan shows whether the instance exists."
  elseif converted:is_null() then why = "It is null." end
  if not why then
    converted = converted:unmark()
    if not converted:is_known() then return nil, true end
    return converted:text() == "true", true
  end
  refuse(walk, "MODULE_COUNT", expression, "enabled must be true or false. %s", why)
  return nil, false
end

local function expand_enabled(walk, declaration, frame)
  local enabled, sound = is_enabled(walk, declaration, frame)
  if not sound then return nil end
  if enabled == nil then
    return unknown(walk, "MODULE_COUNT", declaration.arguments.enabled.expression, frame, "enabled", { "enabled is", "a truth value" })
  end
  return { mode = "single", keys = enabled and { false } or {}, values = {}, instances = {}, disabled = not enabled }
end

--- Returns the instances that a resource or call has in an instance of its module. If an argument is wrong, reports that and returns nil.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@return hclexpr.module.Expansion?
function instances.expand(walk, declaration, instance)
  local arguments, frame = declaration.arguments, frames.plain(walk, instance)
  if arguments.count then return expand_count(walk, declaration, frame) end
  if arguments.for_each then return expand_each(walk, declaration, frame) end
  if arguments.enabled then return expand_enabled(walk, declaration, frame) end
  return { mode = "single", keys = { false }, values = {}, instances = {} }
end

--- Checks count, enabled or for_each, which may be unknown. If the argument is wrong, reports that and returns false.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance
---@return boolean
function instances.check(walk, declaration, instance)
  local arguments, frame = declaration.arguments, frames.plain(walk, instance)
  if arguments.count then return count_of(walk, arguments.count.expression, frame) ~= false end
  if arguments.enabled then return select(2, is_enabled(walk, declaration, frame)) end
  if not arguments.for_each then return true end
  local value = walk:value(arguments.for_each.expression, frame)
  return value ~= nil and check_each(walk, arguments.for_each.expression, value)
end

-- Addresses

--- Returns the calls that lead from the root to an instance of a module.
---@param instance hclexpr.module.Instance
---@return { name: string, key: integer|string|false }[]
function instances.steps(instance)
  if not instance.parent then return {} end
  local steps = instances.steps(instance.parent)
  steps[#steps + 1] = { name = instance.config.name, key = instance.key }
  return steps
end

--- Returns the instance of a module that steps lead to, or nil if the instance doesn't exist.
---@param root hclexpr.module.Instance
---@param steps { name: string, key: integer|string|false }[]
---@return hclexpr.module.Instance?
function instances.at(root, steps)
  local instance = root
  for _, step in ipairs(steps) do
    local call = instance and instance.children[step.name]
    instance = call and call.instances[step.key]
  end
  return instance or nil
end

-- Modules

--- Returns the table with the values of a type's resources, by name.
---@param all table
---@param declaration hclexpr.module.Declaration
---@return table
function instances.home(all, declaration)
  local of_mode = declaration.mode == "managed" and all.resource or all[declaration.mode]
  local home = of_mode[declaration.type]
  if not home then
    home = {}
    of_mode[declaration.type] = home
  end
  return home
end

-- Adds names that may be declared in files that can't be parsed: those that the other files use.
local function assume_in(folder, names, all)
  for _, file in ipairs(folder.files) do
    for _, block in ipairs(file.blocks) do missing.assume(folder, block.body, names, all, instances.home) end
  end
end

-- Makes the names of an instance, and a table { data, ephemeral, resource } of its resources by type.
local function new_names(walk, config)
  local all, paths = { data = {}, ephemeral = {}, resource = {} }, walk.module.paths
  local count = dependencies.outline(config.folder).count
  local names = { var = core.table_for(count.variable or 0), ["local"] = core.table_for(count["local"] or 0), module = {},
                  data = all.data, ephemeral = all.ephemeral, resource = all.resource,
                  path = { module = paths.home and core.clean_path(paths.home .. "/" .. config.path) or config.path, root = paths.root,
                           cwd = paths.cwd },
                  terraform = { workspace = walk.module.workspace, applying = walk.run.applying } }
  for _, declaration in pairs(config.folder.resources) do
    local home = instances.home(all, declaration)
    -- If a type has the name of something else, such as path, only resource.TYPE refers to it.
    if declaration.mode == "managed" and names[declaration.type] == nil then names[declaration.type] = home end
  end
  if config.folder.unsure then assume_in(config.folder, names, all) end
  return names, all
end

--- Makes an instance of a module with the keys that its calls gave it. At first only its names `path` and `terraform` have values.
---@param walk hclexpr.module.Walk
---@param config hclexpr.module.Config
---@param parent? hclexpr.module.Instance
---@param key? integer|string|false its key, if it has a parent
---@param value? hclexpr.Value
---@return hclexpr.module.Instance
function instances.new(walk, config, parent, key, value)
  local shared = walk.shared and walk.shared[config.folder]
  if not shared then
    local names, all = new_names(walk, config)
    local module = walk.module
    local scope = core.scope { parent = walk.run:scope_of(config.folder), variables = names,
                               functions = walk.mode == "validate" and module.evaluation.before_plan or nil }
    shared = { names = names, all = all, scope = scope }
    if walk.shared then walk.shared[config.folder] = shared end
  end
  local instance = { config = config, address = "", parent = parent, key = key, children = {}, resources = {}, given = {},
                     names = shared.names, all = shared.all, scope = shared.scope }
  if parent then
    ---@cast key -?
    instance.address = naming.within(parent.address, naming.call(config.name, key))
    instance.call_frame = walk.mode == "validate" and frames.unknown_key(walk, parent, true, true)
      or frames.of_key(walk, parent, key, value)
  end
  return instance
end

return instances
