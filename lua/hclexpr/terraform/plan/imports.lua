-- Finds the instances that a plan imports from existing objects, and their ids.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local addresses = require "hclexpr.terraform.read.addresses"
local dependencies = require "hclexpr.terraform.read.dependencies"
local import_targets = require "hclexpr.terraform.graph.import_targets"
local frames = require "hclexpr.terraform.instance.frames"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local sorted = require("hclexpr.util").sorted
local naming = require "hclexpr.terraform.language.naming"
local unknown_cause = require "hclexpr.terraform.instance.unknown_cause"

local imports = {}

local text_type = certain(core.type "string")

local function fault(walk, expression, text, ...)
  walk.findings:report("MODULE_ADDRESS", places.of_expression(expression), text, ...)
end

-- Handles an unknown value that an import needs. Returns true if something missing is the reason, because that isn't a mistake; otherwise
-- reports a mistake and returns false.
local function may_wait(walk, expression, home, name, deep)
  if unknown_cause.excuses(walk, expression, home, { name = name, deep = deep, so = "what is imported" }) then return true end
  fault(walk, expression, "%s is known only after an apply, but an import needs it before that.", name)
  return false
end

-- Returns the id by which an instance is imported. If the id is wrong, reports that and returns nil. The id may be unknown in a validate
-- walk, or if something missing is the reason.
local function id_of(walk, expression, home)
  local frame = home.frame
  local value = walk:value(expression, frame, "untold")
  if value == nil then return nil end
  local id, err = text_type:convert(value)
  if id == nil then return fault(walk, expression, "An id must be a string: %s", err[1].detail) end
  local plain = id:unmark()
  if not plain:is_known() then
    return (walk.mode == "validate" or may_wait(walk, expression, home, "The id")) and id or nil
  end
  if plain:is_null() then return fault(walk, expression, "The id is null, but an import needs one.") end
  if plain:text() == "" then return fault(walk, expression, "The id is an empty string, but an import needs one.") end
  return id
end

local objects = { object = true, map = true, dynamic = true }

-- Returns true if an identity can be used; otherwise reports the mistake. Only the provider knows the parts of an identity. Reference: the
-- report that a provider doesn't support identities lacks a place.
local function check_identity(walk, expression, home, declaration)
  local value = walk:value(expression, home.frame)
  local plain = value and value:unmark()
  if not plain then return false end
  local kind = core.kind(plain)
  if plain:is_null() then
    fault(walk, expression, "The identity is null, but an import needs one.")
  elseif not objects[kind] then
    fault(walk, expression, "An identity must be an object, but this is a %s.", kind)
  elseif walk.mode == "plan" and not value:is_wholly_known() then
    return may_wait(walk, expression, home, "The identity", true)
  elseif walk.mode == "plan" and not walk.evaluation.provider_of(declaration).identities then
    walk.findings:report("MODULE_ADDRESS", {}, "%s is imported by an identity, but resources of this type have none. Give it an id.",
      declaration.address)
  else
    return true
  end
  return false
end

-- Returns true if the key in the address has the type that the keys of the resource's instances have; otherwise reports the mistake.
local function check_key(walk, d, declaration, key)
  local wanted = declaration.arguments.for_each and "string" or declaration.arguments.count and "number" or "boolean"
  if type(key) == wanted then return true end
  fault(walk, d.arguments.to.expression, "%s has %s. Name one of its instances.", declaration.address,
    wanted == "string" and "for_each, so its keys are texts" or wanted == "number" and "count, so its keys are numbers"
      or "neither count nor for_each, so it has no keys")
  return false
end

local function add_one(walk, d, declaration, instance, frame, ids)
  local each, home = frame.variables and frame.variables.each, { frame = frame, declaration = d }
  local address, err, key = addresses.text(d.to_expression, each)
  if not address then
    if each then walk.findings:add(err)
    else fault(walk, d.arguments.to.expression, "The keys must be constants here. Only an import with for_each may compute them.") end
    return false
  end
  local fits = check_key(walk, d, declaration, key)
  -- Reference: a plan checks the rest nevertheless.
  if not fits and walk.mode == "validate" then return false end
  if d.arguments.identity then return check_identity(walk, d.arguments.identity.expression, home, declaration) and fits end
  if not d.arguments.id then return fits end
  local id = id_of(walk, d.arguments.id.expression, home)
  if id == nil or not fits then return false end
  ids[naming.within(instance.address, address)] = id
  return true
end

-- Returns true if an attribute refers to the imported resource, and reports its first such reference.
local function names_itself(walk, attribute, declaration)
  local expression = attribute and attribute.expression
  local refs = expression and references.chosen(expression, function(ref) return ref.key == declaration.address end)
  if not refs then return false end
  walk.findings:report("MODULE_SELF", { object = expression, range = refs[1].range }, "The import of %s can't depend on that object "
    .. "itself.",
    declaration.address)
  return true
end

local scalars = { string = true, number = true, bool = true }

local function add_all(walk, d, declaration, instance, ids)
  local frame, for_each = frames.plain(walk, instance), d.arguments.for_each
  -- Reference: a validate walk checks this even if the name is that of a resource in another module.
  local own = walk.mode == "validate" or d.to.module == ""
  -- Reference: only a plan reports this in an identity.
  for _, attribute in ipairs { d.arguments.id or walk.mode == "plan" and d.arguments.identity or for_each, for_each } do
    if own and names_itself(walk, attribute, declaration) then return false end
  end
  if not for_each then return add_one(walk, d, declaration, instance, frame, ids) end
  local all = walk:value(for_each.expression, frame)
  if not all then return false end
  if not all:is_wholly_known() then
    return walk.mode == "validate" or may_wait(walk, for_each.expression, { frame = frame }, "for_each", true)
  end
  local plain = all:unmark()
  if plain:is_null() then return true end
  local kind = core.kind(plain)
  if scalars[kind] then
    fault(walk, for_each.expression, "for_each of an import must be a collection, but this is a %s.", kind)
    return false
  end
  local frame_of = frames.unknown_key(walk, instance, false, true)
  for key, element in plain:pairs() do
    -- In a list each.key is the index, in a set the element.
    local each = { key = kind == "set" and element or key, value = element }
    local frame_here = { instance = instance, context = frame_of.context, variables = { each = each } }
    if not add_one(walk, d, declaration, instance, frame_here, ids) then return false end
  end
  return true
end

-- Checks that each id imports an instance of the resource in this module, or one that the state already has.
local function all_there(walk, ids, declaration, instance, keys)
  local known, base, sound = {}, naming.within(instance.address, declaration.address), true
  for _, key in ipairs(keys) do known[naming.instance(base, key)] = true end
  local state = next(ids) and walk.run.state
  for _, one in ipairs(state and state:entries_of(naming.within(instance.config.address, declaration.address)) or {}) do
    if naming.module(one.place.steps) == instance.address then known[naming.instance(base, one.place.key)] = true end
  end
  for _, address in ipairs(sorted(ids)) do
    local is_own = address == base or address:sub(1, #base + 1) == base .. "["
    if is_own and not known[address] then
      -- Reference: the report lacks a place.
      walk.findings:report("MODULE_ADDRESS", {}, "%s is imported, but %s has no such instance.", address, declaration.address)
      sound = false
    end
  end
  return sound
end

--- Returns the ids by which instances of a resource are imported, by address. If something is wrong, reports that and returns nil.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param instance hclexpr.module.Instance the instance of the resource's module
---@param keys? table the keys of the resource's instances; nil: ids of missing instances aren't reported
---@return table<string, hclexpr.Value>?
function imports.ids(walk, declaration, instance, keys)
  local ids, sound = {}, true
  import_targets.each(instance.config, declaration, function(d, config)
    local at = instance
    while at.config ~= config do at = at.parent --[[@as hclexpr.module.Instance]] end
    -- Reference: a validate walk doesn't check imports in called modules.
    if walk.mode == "plan" or not config.parent then sound = add_all(walk, d, declaration, at, ids) and sound end
  end)
  if keys then sound = all_there(walk, ids, declaration, instance, keys) and sound end
  return sound and ids or nil
end

-- Calls visit(d, config, target) for the import blocks of all modules. `config` has the block, `target` the imported resource; `target` is
-- nil if nothing calls its module.
local function each_import(root, visit)
  for _, config in ipairs(dependencies.modules(root)) do
    for _, d in ipairs(config.folder.others) do
      if d.kind == "import" and d.to then
        local target = config
        for _, step in ipairs(d.to.steps) do target = target and target.children[step.name] end
        visit(d, config, target)
      end
    end
  end
end

local function address_of(d)
  return d.to.type .. "." .. d.to.name
end

-- Returns true if all keys in the target's address are constants.
local function is_constant(d)
  return d.to_expression:ast().kind == "traversal"
end

local function report_undeclared(findings, d)
  findings:report("MODULE_ADDRESS", places.of_expression(d.arguments.to.expression), "The imported resource is not declared.")
end

--- Reports imports into modules that aren't called.
---@param root hclexpr.module.Config
---@param findings hclexpr.Findings
function imports.check_modules(root, findings)
  each_import(root, function(d, _, target)
    if not target then report_undeclared(findings, d) end
  end)
end

-- Reports an import of an undeclared resource. Reference: a plan could generate the configuration of a single resource, so a validate walk
-- checks the rest of such an import instead.
local function check_undeclared(walk, d, config)
  local generates = not config.parent and d.to.module == "" and not (is_constant(d) and (d.to.key or d.arguments.for_each))
  if walk.mode == "plan" or not generates then return report_undeclared(walk.findings, d) end
  add_all(walk, d, { address = address_of(d), arguments = {} }, walk.root, {})
end

-- Returns true if the module instance in the first steps of an address exists, or if that isn't known.
local function is_there(instance, steps)
  for _, step in ipairs(steps) do
    local expansion, found = instance.children[step.name], false
    if not expansion or expansion.mode == "unknown" then return true end
    for _, key in ipairs(expansion.keys) do found = found or key == step.key end
    instance = expansion.instances[step.key]
    if not found or not instance then return found end
  end
  return true
end

--- Reports imports of resources that aren't declared.
---@param walk hclexpr.module.Walk
function imports.check_targets(walk)
  local reported = {}
  each_import(walk.module.root, function(d, config, target)
    if not (target and target.folder.resources[address_of(d)]) then return check_undeclared(walk, d, config) end
    local known, address = walk.mode == "plan" and is_constant(d), naming.within(target.address, address_of(d))
    for _, instance in ipairs(known and walk.instances[config] or {}) do
      -- Reference: the report lacks a place, and comes once for each resource.
      if not is_there(instance, d.to.steps) and not reported[address] then
        walk.findings:report("MODULE_ADDRESS", {}, "%s is imported, but its module has no such instance.", address)
        reported[address] = true
      end
    end
  end)
end

return imports
