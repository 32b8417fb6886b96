-- Relevant attributes: those of resources from which what a plan changes is made, followed through local values, arguments and outputs of
-- modules. Modules and resources have the keys that the names have by which they are found.
local core = require "hclexpr.core"
local expressions = require "hclexpr.terraform.plan_json.expressions"
local prepared_schemas = require "hclexpr.terraform.schema.schema_blocks"
local reading = require "hclexpr.terraform.read.reading"
local references = require "hclexpr.terraform.read.references"
local values = require "hclexpr.terraform.plan_json.values"
local naming = require "hclexpr.terraform.language.naming"

local relevant = {}

---@class hclexpr.planjson.Place where a name is written
---@field config hclexpr.module.Config
---@field address string of the module, with the keys that are known
---@field up? hclexpr.planjson.Place of the call
---@field resource? hclexpr.module.Declaration in whose block the name is

-- The names in an expression or body, as { place, ref } each.
local function names_in(object, place)
  local list = {}
  for _, ref in ipairs(object and references.of(object) or {}) do
    if ref.kind ~= "none" then list[#list + 1] = { place = place, ref = ref } end
  end
  return list
end

local function join(lists)
  local all = {}
  for _, list in ipairs(lists) do
    for _, one in ipairs(list) do all[#all + 1] = one end
  end
  return all
end

local function child_of(place, name, key)
  local config = place.config.children[name]
  if not config then return nil end
  local address = naming.within(place.address, naming.call(name, key))
  return { config = config, address = address, up = { config = place.config, address = place.address, up = place.up } }
end

-- What names lead to

local leads = {}

function leads.variable(place, ref)
  local attribute = place.up and place.config.arguments[ref.name]
  return attribute and names_in(attribute.expression, place.up)
end

leads["local"] = function(place, ref)
  local d = place.config.folder.locals[ref.name]
  return d and names_in(reading.expression(d), place)
end

function leads.output(place, ref)
  local child = child_of(place, ref.name, ref.instance)
  local d = child and child.config.folder.outputs[ref.output]
  return d and names_in(d.arguments.value.expression, child)
end

function leads.call(place, ref)
  local child, lists = child_of(place, ref.name, ref.instance), {}
  for _, d in pairs(child and child.config.folder.outputs or {}) do
    lists[#lists + 1] = names_in(d.arguments.value.expression, child)
  end
  return join(lists)
end

local function repetition(place)
  local d = place.resource
  local attribute = d and (d.arguments.for_each or d.arguments.count)
  return attribute and names_in(attribute.expression, { config = place.config, address = place.address, up = place.up })
end
leads.count, leads.each = repetition, repetition

local function names_in_bodies(bodies, place)
  local lists = {}
  for i, body in ipairs(bodies) do lists[i] = names_in(body, place) end
  return join(lists)
end

-- The names in what steps choose of a resource's block. What its provider computes isn't written there.
local function within_block(bodies, prepared, steps, at, place)
  local step = steps[at]
  if not step then return names_in_bodies(bodies, place) end
  local wanted, lists = prepared.blocks[step.text], {}
  for _, body in ipairs(bodies) do
    local content = core.level(body, prepared.override)
    local attribute = prepared.attributes[step.text] and content.attributes[step.text]
    if attribute then lists[#lists + 1] = names_in(attribute.expression, place) end
    for _, block in ipairs(wanted and content.blocks or {}) do
      if block.type == step.text and (wanted.nesting == "single" or wanted.nesting == "group") then
        lists[#lists + 1] = within_block({ block.body }, wanted.inner, steps, at + 1, place)
      end
    end
  end
  -- Reference: of several blocks none is chosen.
  if wanted and wanted.nesting ~= "single" and wanted.nesting ~= "group" and not steps[at + 1] then
    return names_in_bodies(bodies, place)
  end
  return join(lists)
end

local function names_of_resource(module, place, d, steps, at)
  local schema = module.run.schema_of(d)
  if not schema then return {} end
  local inside = { config = place.config, address = place.address, up = place.up, resource = d }
  return within_block(d.bodies, prepared_schemas.of(schema), steps, at, inside)
end

-- Paths that the schema knows

local into = {}

function into.list(json, step) return step.kind ~= "attr" and tonumber(step.text) and json[2] end
function into.map(json) return json[2] end
function into.object(json, step) return type(json[2]) == "table" and json[2][step.text] end
function into.tuple(json, step) return type(json[2]) == "table" and tonumber(step.text) and json[2][tonumber(step.text) + 1] end

local function add_types(path, json, steps, at)
  while steps[at] do
    local kind = type(json) == "table" and json[1]
    local inner = into[kind] and into[kind](json, steps[at])
    if not inner then return end
    local numbered = kind == "list" or kind == "tuple"
    path[#path + 1] = numbered and tonumber(steps[at].text) or steps[at].text
    json, at = inner, at + 1
  end
end

local function path_of(schema, steps, at)
  local path, prepared = values.list(), prepared_schemas.of(schema)
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

-- Following

local function key_of(place, ref)
  return place.address .. "\0" .. (place.resource and place.resource.address or "") .. "\0" .. expressions.text(ref) .. "\0" .. ref.kind
end

local function follow(module, pending)
  local seen, found, list = {}, {}, values.list()
  while pending[1] do
    local one = table.remove(pending)
    local place, ref = one.place, one.ref
    local key = key_of(place, ref)
    if not seen[key] then
      seen[key] = true
      local more
      if ref.kind == "resource" then
        local d = references.resource_in(place.config.folder, ref.key)
        local schema = d and module.run.schema_of(d)
        if schema then
          local address = naming.within(place.address, expressions.subject(ref))
          local path = path_of(schema, ref.traversal.steps, ref.rest)
          local text = address .. "\0" .. table.concat(path, "\0")
          if not found[text] then
            found[text], list[#list + 1] = true, { resource = address, attribute = path, text = text }
          end
          more = names_of_resource(module, place, d, ref.traversal.steps, ref.rest)
        end
      elseif leads[ref.kind] then
        more = leads[ref.kind](place, ref)
      end
      for _, next_one in ipairs(more or {}) do pending[#pending + 1] = next_one end
    end
  end
  table.sort(list, function(a, b) return a.text < b.text end)
  for _, one in ipairs(list) do one.text = nil end
  return list
end

local function place_of(instance)
  return { config = instance.config, address = instance.address, up = instance.parent and place_of(instance.parent) }
end

-- The place of a row that is declared, though maybe in an instance of a module that has gone.
local function place_of_row(module, row)
  local place = { config = module.root, address = "" }
  for _, step in ipairs(row.path) do place = child_of(place, step.name, step.key) --[[@as table]] end
  return place
end

-- The outputs of the modules below count as new where they aren't null.
local function add_outputs_below(walk, lists)
  for config, list in pairs(walk.instances) do
    -- Of a module that isn't here no outputs are declared.
    for _, instance in ipairs(config.parent and not config.lacks and list or {}) do
      local outputs = instance.parent.children[config.name].outputs[instance.key] or {}
      for name, value in pairs(outputs) do
        local d = config.folder.outputs[name]
        local node = walk.graph:node(config, d.address)
        if walk:outcome(node) == "done" and not value:is_null() then
          lists[#lists + 1] = names_in(d.arguments.value.expression, place_of(instance))
        end
      end
    end
  end
end

--- The attributes from which changes are made.
---@param walk hclexpr.module.Walk
---@param changed hclexpr.planjson.Row[]
---@param outputs string[] names of the root's outputs that change
---@return table[]
function relevant.list(walk, changed, outputs)
  local lists, module = {}, walk.module
  for _, row in ipairs(changed) do
    local d = row.declaration
    if d then lists[#lists + 1] = names_of_resource(module, place_of_row(module, row), d, {}, 1) end
  end
  for _, name in ipairs(outputs) do
    local d = module.root.folder.outputs[name]
    if d then lists[#lists + 1] = names_in(d.arguments.value.expression, place_of(walk.root)) end
  end
  add_outputs_below(walk, lists)
  return follow(module, join(lists))
end

return relevant
