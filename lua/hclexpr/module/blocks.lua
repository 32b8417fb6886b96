-- Blocks: the arguments of a resource or provider, evaluated by the provider's schema, or without one.
--
-- A schema is what `terraform providers schema -json` prints as a "block". It is prepared once: as the core reads it, with types.
local bodies = require "hclexpr.body"
local core = require "hclexpr.core"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"
local references = require "hclexpr.module.references"

local blocks = {}

-- Types, as JSON has them

local type_of_json

local function parts_of(list)
  local parts = {}
  for key, part in pairs(list) do parts[key] = type_of_json(part) end
  return parts
end

local words = { string = core.type "string", number = core.type "number", bool = core.type "bool", dynamic = core.type "any" }

function type_of_json(json)
  if type(json) ~= "table" then return words[json] or words.dynamic end
  local kind, inner = json[1], json[2]
  if kind == "object" or kind == "tuple" then return core.type_of_parts(kind, parts_of(inner)) end
  return core.type_of_parts(kind, { type_of_json(inner) })
end

blocks.type_of_json = type_of_json

local nested_kinds = { list = "list", set = "set", map = "map" }

local function attribute_type(attribute)
  local nested = attribute.nested_type
  if not nested then return type_of_json(attribute.type) end
  local parts = {}
  for name, part in pairs(nested.attributes) do parts[name] = attribute_type(part) end
  local object, kind = core.type_of_parts("object", parts), nested_kinds[nested.nesting_mode]
  return kind and core.type_of_parts(kind, { object }) or object
end

-- Prepared schemas

---@class hclexpr.module.Prepared
---@field attributes table<string, table> by name: the row of the schema, and its Type
---@field blocks table<string, { nesting: string, min: integer?, max: integer?, inner: hclexpr.module.Prepared }>
---@field flat table as core.level takes it
---@field deep table the same with all below
---@field type hclexpr.Type of the object

local prepared_of = setmetatable({}, { __mode = "k" })

local function block_type(nesting, inner)
  local kind = nested_kinds[nesting]
  -- A list of objects with `any` inside is a tuple once its values are known.
  if kind and core.type_has_any(inner) then return words.dynamic end
  return kind and core.type_of_parts(kind, { inner }) or inner
end

--- Prepares a schema's block.
---@param block table
---@return hclexpr.module.Prepared
function blocks.prepare(block)
  local made = prepared_of[block]
  if made then return made end
  made = { attributes = {}, blocks = {}, flat = { attributes = {}, blocks = {} }, deep = { attributes = {}, blocks = {} } }
  local parts = {}
  for name, row in pairs(block.attributes or {}) do
    local type = attribute_type(row)
    made.attributes[name], parts[name] = { row = row, type = type }, type
    made.flat.attributes[#made.flat.attributes + 1] = { name = name, required = row.required }
  end
  table.sort(made.flat.attributes, function(a, b) return a.name < b.name end)
  made.deep.attributes = made.flat.attributes
  for name, row in pairs(block.block_types or {}) do
    local inner = blocks.prepare(row.block)
    made.blocks[name] = { nesting = row.nesting_mode, min = row.min_items, max = row.max_items, inner = inner }
    local labels = row.nesting_mode == "map" and { "key" } or {}
    made.flat.blocks[#made.flat.blocks + 1] = { type = name, labels = labels, nesting = 0 }
    made.deep.blocks[#made.deep.blocks + 1] = { type = name, labels = labels, nesting = 0, schema = inner.deep }
    parts[name] = block_type(row.nesting_mode, inner.type)
  end
  made.type = core.type_of_parts("object", parts)
  prepared_of[block] = made
  return made
end

-- Evaluation

---@class hclexpr.module.blocks.Run
---@field walk hclexpr.module.Walk
---@field frame hclexpr.module.Frame
---@field sound boolean

local function add(run, err)
  run.walk.findings:add(err)
  run.sound = false
end

local function has_dynamic(body)
  if core.needs_schema(body) then return true end
  for _, block in ipairs(body.blocks) do
    if block.type == "dynamic" or has_dynamic(block.body) then return true end
  end
  return false
end

--- Is there a mark on a value or anything in it?
---@param value hclexpr.Value
---@param name string
---@return boolean
function blocks.contains_mark(value, name)
  for _, mark in ipairs(core.marks_within(value) or {}) do
    if mark == name then return true end
  end
  return false
end

local function argument(run, attribute, wanted)
  local value, err = attribute.expression:value(run.frame.variables, run.frame.instance.scope)
  if value == nil then return add(run, err) end
  local converted
  converted, err = wanted.type:convert(value)
  if converted == nil then
    run.walk.findings:report("MODULE_CONFIGURED", places.of_attribute(attribute), "The value of %s doesn't fit its type: %s",
      attribute.name, (err[1].detail:gsub("^%u", string.lower)))
    run.sound = false
    return nil
  end
  if run.kept and not (wanted.row and wanted.row.write_only) and blocks.contains_mark(converted, "ephemeral") then
    run.walk.findings:report("MODULE_EPHEMERAL", places.of_attribute(attribute), "The value of %s is ephemeral, and resources are kept. "
      .. "Take a value that stays.", attribute.name)
    run.sound = false
  end
  return converted
end

local read

local function too_many(run, block, type)
  run.walk.findings:report("MODULE_CONFIGURED", places.of_block(block), "Only one block %s may stand here, and this is another.", type)
  run.sound = false
end

local nest = {}

function nest.single(run, list, wanted, type)
  if list[2] then too_many(run, list[2], type) end
  if not list[1] then return core.value(core.null, wanted.inner.type) end
  return read(run, { list[1].body }, wanted.inner)
end

function nest.group(run, list, wanted, type)
  if list[2] then too_many(run, list[2], type) end
  return read(run, { list[1] and list[1].body }, wanted.inner)
end

local function sequence(kind)
  return function(run, list, wanted)
    local values = setmetatable({}, core.array_mt)
    for i, block in ipairs(list) do values[i] = read(run, { block.body }, wanted.inner) end
    if not run.sound then return nil end
    if core.type_has_any(wanted.inner.type) then return (core.value(values)) end
    return (core.value(values, core.type_of_parts(kind, { wanted.inner.type })))
  end
end
nest.list, nest.set = sequence "list", sequence "set"

function nest.map(run, list, wanted)
  local values = {}
  for _, block in ipairs(list) do values[block.labels[1]] = read(run, { block.body }, wanted.inner) end
  if not run.sound then return nil end
  if core.type_has_any(wanted.inner.type) then return (core.value(values)) end
  return (core.value(values, core.type_of_parts("map", { wanted.inner.type })))
end

-- One level of a body, and of those that override parts of it: attributes by name, blocks by type.
local function level(run, list, prepared)
  local attributes, by_type = {}, {}
  for _, body in ipairs(list) do
    local content, err = core.level(body, prepared.flat)
    if err then add(run, err) end
    local types = {}
    for _, attribute in ipairs(levels.attributes_of(content)) do attributes[attribute.name] = attribute end
    for _, block in ipairs(content.blocks) do
      local of_type = types[block.type] or {}
      types[block.type], of_type[#of_type + 1] = of_type, block
    end
    for type, of_type in pairs(types) do by_type[type] = of_type end
  end
  return attributes, by_type
end

-- The object that bodies give by a schema; nil: something is wrong, and was reported.
function read(run, list, prepared)
  local values = {}
  local attributes, by_type = level(run, list, prepared)
  for name, wanted in pairs(prepared.attributes) do
    if attributes[name] then values[name] = argument(run, attributes[name], wanted)
    else values[name] = core.value(core.null, wanted.type) end
  end
  for type, wanted in pairs(prepared.blocks) do values[type] = nest[wanted.nesting](run, by_type[type] or {}, wanted, type) end
  if run.sound then return (core.value(values)), attributes end
end

-- The bodies with their `dynamic` blocks expanded; nil: that failed, and was reported.
local function expanded(run, list, prepared)
  local all = {}
  for i, body in ipairs(list) do
    all[i] = body
    if has_dynamic(body) then
      local whole, err = bodies.expand(body, prepared and prepared.deep, run.frame.variables, run.frame.instance.scope)
      if whole == nil then
        add(run, err)
        return nil
      end
      all[i] = whole
    end
  end
  return all
end

-- Without a schema: the values of the arguments by name. Blocks are looked at for what is wrong in them.
local function read_freely(run, list)
  local values, wanted = {}, { type = words.dynamic }
  for _, body in ipairs(list) do
    for _, attribute in ipairs(levels.attributes_of(body)) do values[attribute.name] = argument(run, attribute, wanted) end
    for _, block in ipairs(body.blocks) do read_freely(run, { block.body }) end
  end
  return values
end

--- Evaluates the arguments of a declaration. By a schema it gives an object; without one a table of the values of arguments by name.
--- nil: something is wrong, and was reported.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration
---@param schema? table
---@param frame hclexpr.module.Frame
---@param kept? boolean no argument may be ephemeral
---@return hclexpr.Value|table<string, hclexpr.Value>|nil
---@return table<string, hclexpr.Attribute>? written
function blocks.evaluate(walk, declaration, schema, frame, kept)
  local run, wrong = { walk = walk, frame = frame, sound = true, kept = kept }, false
  for _, body in ipairs(declaration.bodies) do
    local faults = references.check(body, frame.context)
    if faults then references.report(walk.findings, body, faults, frame.instance.config) end
    wrong = wrong or faults ~= nil
  end
  if wrong then return nil end
  local prepared = schema and blocks.prepare(schema)
  local list = expanded(run, declaration.bodies, prepared)
  if not list then return nil end
  if prepared then return read(run, list, prepared) end
  local values = read_freely(run, list)
  if run.sound then return values, {} end
end

-- Static checks of steps into a block of a schema

local function attribute_names(prepared)
  local names = {}
  for name in pairs(prepared.attributes) do names[#names + 1] = name end
  for name in pairs(prepared.blocks) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Adds a fault for the first step that no value of the schema can take.
---@param schema table
---@param steps table[]
---@param from integer
---@param found fun(fault: hclexpr.module.Fault)
function blocks.check_steps(schema, steps, from, found)
  local prepared, at = blocks.prepare(schema), from
  while steps[at] do
    local step = steps[at]
    if step.kind ~= "attr" then
      -- Attributes may be named by index, too.
      if step.kind ~= "key" then return end
    end
    local inner = prepared.blocks[step.text]
    if prepared.attributes[step.text] then return end
    if not inner then
      local near = core.suggest(step.text, attribute_names(prepared))
      found { row = "MODULE_ATTRIBUTE", range = step.range, text = ("Resources of this type have no attribute \"%s\".%s"):format(step.text,
        near and (" Is \"%s\" meant?"):format(near) or "") }
      return
    end
    if inner.nesting ~= "single" and inner.nesting ~= "group" then return end
    prepared, at = inner.inner, at + 1
  end
end

return blocks
