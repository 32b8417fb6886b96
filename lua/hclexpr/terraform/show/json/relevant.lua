-- Lists relevant attributes: the attributes of resources that a plan's changes are made from. They are found through local values,
-- arguments and outputs of modules. Each instance of a module that a name means is one *place*, and each expression is followed once per
-- place. Places and resources have only the keys that are written in names.
local attribute_paths = require "hclexpr.terraform.schema.attribute_paths"
local core = require "hclexpr.core"
local expressions = require "hclexpr.terraform.show.json.expressions"
local instances = require "hclexpr.terraform.instance.instances"
local naming = require "hclexpr.terraform.language.naming"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local reading = require "hclexpr.terraform.read.reading"
local references = require "hclexpr.terraform.read.references"
local value_parts = require "hclexpr.terraform.show.json.value_parts"

local relevant = {}

---@class hclexpr.planjson.Place
---@field config hclexpr.module.Config
---@field address string the address of the module, with the known keys
---@field up? hclexpr.planjson.Place the place of the call
---@field below table<string, hclexpr.planjson.Place> the places of called modules, by the call with its key
---@field added table<any, true> expressions and bodies that are followed in this place
---@field seen table<hclexpr.module.Reference, true>

---@class hclexpr.planjson.Trace
---@field module hclexpr.Module
---@field root hclexpr.planjson.Place
---@field stack any[] expressions and bodies to follow, three elements for each: place, object, and its resource or false
---@field top integer
---@field leading table<any, hclexpr.module.Reference[]> the names in an expression or body that must be followed
---@field found table<string, true> the texts of the attributes in `list`
---@field list table[]

local function new_place(config, address, up)
  return { config = config, address = address, up = up, below = {}, added = {}, seen = {} }
end

local function child_of(place, name, key)
  local config = place.config.children[name]
  if not config then return nil end
  local call = naming.call(name, key)
  local child = place.below[call]
  if not child then
    child = new_place(config, naming.within(place.address, call), place)
    place.below[call] = child
  end
  return child
end

-- Returns the place of a planned object, even if the instance of its module no longer exists.
local function place_of(trace, steps)
  local place = trace.root
  for _, step in ipairs(steps) do place = child_of(place, step.name, step.key) --[[@as hclexpr.planjson.Place]] end
  return place
end

local function add(trace, place, object, owner)
  if place.added[object] then return end
  place.added[object] = true
  local stack, top = trace.stack, trace.top
  stack[top + 1], stack[top + 2], stack[top + 3] = place, object, owner or false
  trace.top = top + 3
end

local function add_bodies(trace, place, bodies, owner)
  for _, body in ipairs(bodies) do add(trace, place, body, owner) end
end

-- Follows the part of a resource's block to which steps lead. Parts that the provider computes aren't written there.
local function add_within(trace, place, owner, bodies, prepared, steps, at)
  local step = steps[at]
  if not step then return add_bodies(trace, place, bodies, owner) end
  local attribute, wanted = prepared.attributes[step.text], prepared.blocks[step.text]
  local is_one = wanted and (wanted.nesting == "single" or wanted.nesting == "group")
  -- Reference: steps can't choose one of several blocks.
  if wanted and not is_one then return not steps[at + 1] and add_bodies(trace, place, bodies, owner) end
  for _, body in ipairs(bodies) do
    local content = core.level(body, prepared.override)
    local written = attribute and content.attributes[step.text]
    if written then add(trace, place, written.expression, owner) end
    for _, block in ipairs(is_one and content.blocks or {}) do
      if block.type == step.text then add_within(trace, place, owner, { block.body }, wanted.inner, steps, at + 1) end
    end
  end
end

-- Paths by the schema; a path ends at a type `any`

local function add_types(path, json, steps, at)
  while steps[at] do
    local inner = attribute_paths.step(json, steps[at])
    if not inner then return end
    local numbered = json[1] == "list" or json[1] == "tuple"
    path[#path + 1] = numbered and tonumber(steps[at].text) or steps[at].text
    json, at = inner, at + 1
  end
end

local function path_of(prepared, steps, at)
  local path = value_parts.list()
  while prepared and steps[at] do
    local step = steps[at]
    local attribute, block = prepared.attributes[step.text], prepared.blocks[step.text]
    if not attribute and not block then return path end
    path[#path + 1] = step.text
    if attribute then
      add_types(path, attribute.json, steps, at + 1)
      return path
    end
    prepared, at = block.inner, at + 1
    if block.nesting == "list" or block.nesting == "map" then
      local key = steps[at]
      if not key or block.nesting == "list" and not tonumber(key.text) then return path end
      path[#path + 1] = block.nesting == "list" and tonumber(key.text) or key.text
      at = at + 1
    elseif block.nesting == "set" then
      return path
    end
  end
  return path
end

-- The targets of names, by kind

local leads = {}

function leads.variable(trace, place, ref)
  local attribute = place.up and place.config.arguments[ref.name]
  if attribute then add(trace, place.up, attribute.expression) end
end

leads["local"] = function(trace, place, ref)
  local d = place.config.folder.locals[ref.name]
  if d then add(trace, place, reading.expression(d)) end
end

local function add_output(trace, place, d)
  if d then add(trace, place, d.arguments.value.expression) end
end

function leads.output(trace, place, ref)
  local child = child_of(place, ref.name, ref.instance)
  if child then add_output(trace, child, child.config.folder.outputs[ref.output]) end
end

function leads.call(trace, place, ref)
  local child = child_of(place, ref.name, ref.instance)
  for _, d in pairs(child and child.config.folder.outputs or {}) do add_output(trace, child, d) end
end

function leads.resource(trace, place, ref)
  local d = references.resource_in(place.config.folder, ref.key)
  local schema = d and trace.module.evaluation.schema_of(d)
  if not schema then return end
  local prepared, steps = prepared_schemas.of(schema), ref.traversal.steps
  local address, path = naming.within(place.address, expressions.subject(ref)), path_of(prepared, steps, ref.rest)
  local text = address .. "\0" .. table.concat(path, "\0")
  if not trace.found[text] then
    trace.found[text] = true
    table.insert(trace.list, { resource = address, attribute = path, text = text })
  end
  add_within(trace, place, d, d.bodies, prepared, steps, ref.rest)
end

local function repetition(trace, place, _, owner)
  local attribute = owner and (owner.arguments.for_each or owner.arguments.count)
  if attribute then add(trace, place, attribute.expression) end
end

-- Names that mean something else in each resource
local of_owner = { count = repetition, each = repetition }

-- Returns the names in an expression or body that must be followed. The list is stored, because each call of the folder needs it.
local function leading(trace, object)
  local list = trace.leading[object]
  if not list then
    list = {}
    for _, ref in ipairs(references.of(object)) do
      if of_owner[ref.kind] or leads[ref.kind] then list[#list + 1] = ref end
    end
    trace.leading[object] = list
  end
  return list
end

local function follow(trace)
  local stack = trace.stack
  while trace.top > 0 do
    local top = trace.top - 3
    local place, object, owner = stack[top + 1], stack[top + 2], stack[top + 3]
    trace.top = top
    local seen, list = place.seen, leading(trace, object)
    for i = 1, #list do
      local ref = list[i]
      local lead = leads[ref.kind]
      if not lead then
        of_owner[ref.kind](trace, place, ref, owner)
      elseif not seen[ref] then
        seen[ref] = true
        lead(trace, place, ref)
      end
    end
  end
end

-- Returns true if a module, or any module that it calls, has resources.
local function has_resources(module)
  for _, folder in pairs(module.loader.folders) do
    if folder and next(folder.resources) ~= nil then return true end
  end
  return false
end

-- Starting points

local function add_changed(trace, row)
  local d = row.declaration
  if d and trace.module.evaluation.schema_of(d) then add_bodies(trace, place_of(trace, row.path), d.bodies, d) end
end

-- Follows the outputs of called modules. They count as new if they aren't null.
local function add_outputs_below(trace, walk)
  for config, list in pairs(walk.instances) do
    -- A missing module doesn't declare outputs.
    for _, instance in ipairs(config.parent and not config.lacks and list or {}) do
      local place, failed = place_of(trace, instances.steps(instance)), instance.failed_outputs or {}
      for name, value in pairs(instance.parent.children[config.name].outputs[instance.key] or {}) do
        local d = config.folder.outputs[name]
        local outcome = walk:outcome(walk.graph:node(config, d.address))
        local was_made = outcome == "done" or outcome == "failed" and not failed[name]
        if was_made and not value:is_null() then add_output(trace, place, d) end
      end
    end
  end
end

--- Lists the attributes of resources that changes are made from.
---@param walk hclexpr.module.Walk
---@param changed hclexpr.planjson.Row[]
---@param outputs string[] names of the root's outputs that change
---@return table[]
function relevant.list(walk, changed, outputs)
  local module = walk.module
  local trace = { module = module, root = new_place(module.root, ""), stack = {}, top = 0, leading = {}, found = {},
                  list = value_parts.list() }
  if not has_resources(module) then return trace.list end -- following names would take an eighth of a plan's time
  for _, row in ipairs(changed) do add_changed(trace, row) end
  for _, name in ipairs(outputs) do add_output(trace, trace.root, module.root.folder.outputs[name]) end
  -- Reference: a destroy plan lacks the outputs of called modules.
  if walk.run.mode ~= "destroy" then add_outputs_below(trace, walk) end
  follow(trace)
  table.sort(trace.list, function(a, b) return a.text < b.text end)
  for _, one in ipairs(trace.list) do one.text = nil end
  return trace.list
end

return relevant
