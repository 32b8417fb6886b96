-- Evaluates the arguments and blocks of a resource or provider, with or without the provider's schema.
local body_evaluation = require "hclexpr.body.evaluation"
local body_names = require "hclexpr.terraform.plan.body_names"
local certain = require("hclexpr.check").certain
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local deprecation = require "hclexpr.terraform.instance.deprecation"
local frames = require "hclexpr.terraform.instance.frames"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"
local prepared_schemas = require "hclexpr.terraform.schema.prepared_schemas"
local references = require "hclexpr.terraform.read.references"
local sorted = require("hclexpr.util").sorted
local typed_values = require "hclexpr.terraform.schema.typed_values"
local written = require "hclexpr.terraform.providers.written"

local configuration = {}

---@class hclexpr.module.blocks.Run
---@field walk hclexpr.module.Walk
---@field frame hclexpr.module.Frame
---@field sound boolean
---@field kept? boolean arguments mustn't be ephemeral, because they are stored
---@field old? boolean the schema is that of an old provider, which reports an unwanted argument in its own way
---@field reported? boolean mismatches with the schema were reported
---@field block hclexpr.Block the block being evaluated
---@field within string[] the types of the blocks being read, the outermost first
---@field replaced table<string, true> arguments of the first body that a later one replaces
---@field levels? table<hclexpr.Body, table> contents of bodies by a schema, if these are the same for each instance
---@field later function[] checks of values, and warnings of deprecated parts, that run only if everything fits its schema

local function add(run, err)
  run.walk.findings:add(err)
  run.sound = false
end

local function report(run, place, text, ...)
  run.walk.findings:report("MODULE_CONFIGURED", place, text, ...)
  run.sound = false
end

local function has_dynamic(body)
  if core.needs_schema(body) then return true end
  for _, block in ipairs(body.blocks) do
    if block.type == "dynamic" or has_dynamic(block.body) then return true end
  end
  return false
end

--- Returns true if a value, or anything in it, has a mark.
---@param value hclexpr.Value
---@param name string
---@return boolean
function configuration.contains_mark(value, name)
  for _, mark in ipairs(core.marks_within(value) or {}) do
    if mark == name then return true end
  end
  return false
end

-- Arguments

-- Checks a value of the right type by the schema.
local function check_argument(run, attribute, row, value)
  local null = value:is_null()
  if null and row.required then
    report(run, places.of_attribute(attribute), "%s needs a value, but this is null.", attribute.name)
  elseif not null and row.computed and not row.optional and not row.required and not row.unchecked and not run.old then
    report(run, places.of_attribute(attribute), "%s is set by the provider, not by the configuration. Remove the argument.", attribute.name)
  elseif not null and row.deprecated and run.walk.mode == "validate" then
    run.walk.findings:report("MODULE_DEPRECATED", places.of_attribute(attribute), "%s is deprecated. The provider's documentation may "
      .. "name a replacement.", attribute.name)
  end
end

local function argument(run, attribute, wanted)
  local value, err = attribute.expression:value(run.frame.variables, run.frame.instance.scope)
  if value == nil then return add(run, err) end
  value = deprecation.take(run.walk, attribute.expression, value, true, run.later)
  local converted = value
  if prepared_schemas.converts(wanted, core.kind(value)) then converted, err = (wanted.constraint or wanted.type):convert(value) end
  if converted == nil then
    return report(run, places.of_attribute(attribute), "The value of %s doesn't fit its type: %s", attribute.name,
      clause(err))
  end
  local row = wanted.row
  -- Without a schema it is unknown whether the argument is write-only.
  if run.kept and row and not row.write_only and configuration.contains_mark(converted, "ephemeral") then
    local block = run.within[1] and table.concat(run.within, ".")
    run.later[#run.later + 1] = function()
      -- Reference: for an argument in a block, the place is the start of the block's body.
      local place = block and configuration.start(run.block) or places.of_attribute(attribute)
      run.walk.findings:report("MODULE_EPHEMERAL", place, "The value of %s is ephemeral, but resources are stored. Use a value that isn't "
        .. "ephemeral.", block and block .. "." .. attribute.name or attribute.name)
      run.sound = false
    end
  end
  if row and (row.required or row.deprecated or row.computed and not row.optional) then
    run.later[#run.later + 1] = function() check_argument(run, attribute, row, converted) end
  end
  return converted
end

-- Blocks

local read

-- Returns the place where the missing parts of a body are reported.
local function missing_in(body, content)
  return { object = body, range = core.expanded_missing(body) or core.level_missing(content) }
end

--- Returns the place of a report about a whole block: the start of its body.
---@param block hclexpr.Block
---@return hclexpr.findings.Place
function configuration.start(block)
  return missing_in(block.body, (core.level(block.body, { attributes = {}, blocks = {} })))
end

local function missing_of(block, inner)
  return missing_in(block.body, (core.level(block.body, inner.override)))
end

local function check_count(run, list, wanted, type, missing)
  local min, max = wanted.row.min_items or 0, wanted.row.max_items or 0
  if run.reported then return end
  if #list < min and missing then
    report(run, missing(), "This needs at least %d block%s %s. Add %s.", min, min == 1 and "" or "s", type,
      min == 1 and "one" or "more")
  elseif max > 0 and #list > max then
    report(run, missing_of(list[max + 1], wanted.inner), "This takes at most %d block%s %s, but has %d.", max,
      max == 1 and "" or "s", type, #list)
  end
end

local nest = {}

-- Reads at most one block of a type. The second result is true if it exists.
local function only(run, list, wanted, type, missing)
  if list[2] then report(run, places.of_block(list[2]), "Only one block %s is allowed here, and this is a second one. Remove "
    .. "one.", type) end
  if not list[1] then
    if wanted.row.min_items == 1 and missing and not run.reported then report(run, missing(), "A block %s is missing. Add it.", type) end
    return nil, false
  end
  return read(run, { list[1].body }, wanted.inner), true
end

function nest.single(run, list, wanted, type, missing)
  local value, there = only(run, list, wanted, type, missing)
  if there then return value end
  return core.value(core.null, wanted.inner.type)
end

function nest.group(run, list, wanted, type, missing)
  local value, there = only(run, list, wanted, type, missing)
  if there then return value end
  return read(run, {}, wanted.inner)
end

-- Reads one of several blocks: returns its value with the marks of the collection that generated it; nil after a report.
local function read_one(run, block, inner)
  local value = read(run, { block.body }, inner)
  for _, mark in ipairs(value and block.marks or {}) do value = value:mark(mark) end
  return value
end

-- Returns a reader of several blocks. The reader returns an unknown value if the for_each of a `dynamic` block is unknown, and nil if
-- something is wrong.
local function several(read_all, counted)
  return function(run, list, wanted, type, missing)
    local values, unknown = read_all(run, list, wanted.inner)
    if unknown then return prepared_schemas.unknown(wanted) end
    if counted then check_count(run, list, wanted, type, missing) end
    if not run.sound then return nil end
    if wanted.json == "dynamic" then return (core.value(values)) end
    return (core.value(values, wanted.type))
  end
end

local function in_order(run, list, inner)
  local values, unknown = setmetatable({}, core.array_mt), false
  for i, block in ipairs(list) do
    values[i] = read_one(run, block, inner)
    unknown = unknown or block.unknown
  end
  return values, unknown
end
nest.list, nest.set = several(in_order, true), several(in_order, true)

nest.map = several(function(run, list, inner)
  local values, unknown = {}, false
  for _, block in ipairs(list) do
    local key = block.labels[1]
    if values[key] ~= nil then
      report(run, places.of_block(block), "Another block %s %s comes before this one.", block.type, core.quote(key))
    end
    values[key] = read_one(run, block, inner) or false
    unknown = unknown or block.unknown
  end
  return values, unknown
end, false)

-- Returns a copy of a schema without the replaced arguments.
local function without(schema, replaced)
  local attributes = {}
  for _, attribute in ipairs(schema.attributes) do
    if not replaced[attribute.name] then attributes[#attributes + 1] = attribute end
  end
  return { attributes = attributes, blocks = schema.blocks, partial = schema.partial }
end

-- Returns the schema for body number i in a list where later bodies override parts of the first. Reference: required parts must be in the
-- first body, and parts that the schema doesn't name are skipped.
local function overridden(run, list, i, base, override, alone)
  if #list == 1 then return alone end
  return i == 1 and without(base, run.replaced) or i > 1 and override or nil
end

-- Reads one level of a body and of the bodies that override parts of it, and reports mistakes unless run.reported is true. Returns
-- attributes by name; blocks by type; a function that returns the place of missing parts; and the types that wrong blocks were probably
-- meant to have, which then don't count as missing.
local function level(run, list, prepared)
  local known = run.levels and #list == 1 and run.levels[list[1]]
  if known and known.prepared == prepared then return known.attributes, known.by_type, known.missing, known.meant end
  local attributes, by_type, missing, meant, fits = {}, {}, nil, {}, true
  for i, body in ipairs(list) do
    local content, err, _, wrong = core.level(body, overridden(run, list, i, prepared.base, prepared.override, prepared.flat))
    for type in pairs(wrong or {}) do meant[type] = true end
    if err and not run.reported then add(run, err) end
    fits = fits and not err
    if i == 1 then missing = function() return missing_in(body, content) end end
    for _, attribute in ipairs(levels.attributes_of(content)) do attributes[attribute.name] = attribute end
    for _, block in ipairs(content.blocks) do
      local of_type = by_type[block.type] or {}
      by_type[block.type], of_type[#of_type + 1] = of_type, block
    end
  end
  if run.levels and fits and #list == 1 then
    run.levels[list[1]] = { prepared = prepared, attributes = attributes, by_type = by_type, missing = missing, meant = meant }
  end
  return attributes, by_type, missing, meant
end

-- Reads bodies by a schema into an object. If something is wrong, reports that and returns nil.
function read(run, list, prepared)
  local values = {}
  local attributes, by_type, missing, meant = level(run, list, prepared)
  for _, name in ipairs(prepared.names) do
    local wanted = prepared.attributes[name]
    if attributes[name] then values[name] = argument(run, attributes[name], wanted)
    else values[name] = prepared_schemas.null(wanted) end
  end
  for _, type in ipairs(prepared.types) do
    local wanted = prepared.blocks[type]
    run.within[#run.within + 1] = type
    values[type] = nest[wanted.nesting](run, by_type[type] or {}, wanted, type, not meant[type] and missing)
    run.within[#run.within] = nil
  end
  if run.sound then return (core.value(values)), attributes end
end

-- Bodies

-- Expands the `dynamic` blocks of bodies. This also finds mismatches with the schema in all nested blocks. A body with mismatches is
-- expanded without the schema, or stays as it is; its values are checked in both cases. The second result lists the Diagnostics of
-- mismatches; the third has true for each body whose `dynamic` blocks are wrong in themselves.
local function expanded(run, list, prepared)
  local variables, scope = run.frame.variables, run.frame.instance.scope
  local all, wrong, broken = {}, {}, {}
  local cache = run.frame.instance.config.folder.cache
  cache.levels = cache.levels or { validate = {}, plan = {} } -- by mode, because warnings of validate aren't repeated
  run.levels = cache.levels[run.walk.mode]
  for i, body in ipairs(list) do
    local schema = prepared and overridden(run, list, i, prepared.base_deep, prepared.override_deep, prepared.deep) or nil
    all[i] = body
    if has_dynamic(body) and (prepared or not core.needs_schema(body)) then
      local whole, err = body_evaluation.expand(body, schema, variables, scope)
      if whole == nil then
        wrong[#wrong + 1] = err
        if not core.needs_schema(body) then whole = body_evaluation.expand(body, nil, variables, scope) end
        broken[body] = whole == nil
      end
      all[i] = whole or body
      run.levels = nil
    end
  end
  return all, wrong, broken
end

-- Finds the names of iterators in a body in JSON syntax, where only a schema says which properties are blocks.
local function iterators_in(tree, found)
  for i = 1, #(tree.items or {}), 2 do
    local key, value = tree.items[i], tree.items[i + 1]
    if key.kind == "key" then key = key.inner end
    if found.labels then found.names[key.text or key.root or ""] = true end
    if key.text == "iterator" and value.kind == "string" then found.names[value.text] = true end
    iterators_in(value, { names = found.names, labels = key.text == "dynamic" })
  end
  for _, element in ipairs(tree.elements or {}) do iterators_in(element, found) end
  return found.names
end

local function iterators_of(body)
  local names = {}
  for name, attribute in pairs(core.needs_schema(body) and body.attributes or {}) do
    iterators_in(attribute.expression:ast(), { names = names, labels = name == "dynamic" })
  end
  return names
end

-- Reports mistakes in the names of a body in JSON syntax.
local function check_json_names(run, body)
  local faults, found = {}, references.check(body, run.frame.context)
  local iterators = found and iterators_of(body) or {}
  for _, fault in ipairs(found or {}) do
    if not iterators[fault.root] then faults[#faults + 1] = fault end
  end
  references.report(run.walk.findings, body, faults, run.frame.instance.config)
  return #faults == 0
end

-- Reports mistakes in the names of bodies. `expanded_list` has the bodies with their `dynamic` blocks expanded, `broken` those whose
-- `dynamic` blocks are wrong in themselves.
local function check_names(run, list, expanded_list, broken)
  local sound = true
  local function add_error(err) add(run, err) end
  for i, body in ipairs(list) do
    if core.needs_schema(body) then sound = check_json_names(run, body) and sound
    else sound = body_names.check(run, body, not broken[body] and expanded_list[i] or nil, add_error) and sound end
  end
  return sound
end

local wanted_freely = { type = typed_values.type "dynamic" }
local read_freely

-- What a block without a schema costs without its evaluations, in steps and bytes.
local STEPS_EACH, BYTES_EACH = 10, 400

-- Returns the content of a block as an open object with the marks of the collection that generated it. If a limit is exceeded, the resource
-- fails.
local function item_of(run, block)
  if not run.walk:charge(STEPS_EACH, BYTES_EACH) then
    run.sound = false
    return core.unknown "any"
  end
  local item = certain(core.unknown("any", { attributes = read_freely(run, { block.body }, true) }))
  for _, mark in ipairs(block.marks or {}) do item = certain(item:mark(mark)) end
  return item
end

-- Returns the value of the blocks of a type: a list or, with labels, a map.
local function nested(list)
  if not list.labels then return certain(core.unknown("any", { items = list })) end
  local by_label = {}
  for i, item in ipairs(list) do by_label[list.labels[i]] = item end
  return certain(core.unknown("any", { attributes = by_label }))
end

local function gather_block(run, block, by_type)
  local item, list, labels = item_of(run, block), by_type[block.type], block.labels
  if list == nil then
    list = { labels = labels[1] and {} or nil }
    by_type[block.type] = list
  end
  if list and (block.unknown or labels[2] or (labels[1] ~= nil) ~= (list.labels ~= nil)) then by_type[block.type] = false
  elseif list then
    list[#list + 1] = item
    if list.labels then list.labels[#list] = labels[1] end
  end
end

-- Groups the blocks of a body by type. A type has false instead of a list if the number of its blocks is unknown, if a block has several
-- labels, or if only some blocks have a label. A `dynamic` block that remained because of a mistake is skipped.
local function gather(run, body)
  local by_type = {}
  for _, block in ipairs(body.blocks) do
    if block.type ~= "dynamic" then gather_block(run, block, by_type) end
  end
  return by_type
end

-- Makes everything unknown that `dynamic` would generate. In JSON syntax `dynamic` is a property like others: an object, or an array of
-- objects.
local function add_generated(values, tree)
  for i = 1, #(tree.items or {}), 2 do
    local key = tree.items[i]
    local name = key.kind == "key" and key.inner.text or key.text
    if name then values[name] = frames.missing end
  end
  for _, element in ipairs(tree.elements or {}) do add_generated(values, element) end
end

-- Evaluates bodies without a schema. Returns the values of arguments and blocks by name; parts of a later body replace those of an earlier
-- one. If `sure`, arguments have only what is certain about them.
function read_freely(run, list, sure)
  local values = {}
  for _, body in ipairs(list) do
    local by_type, generated = gather(run, body), core.needs_schema(body) and body.attributes.dynamic
    for _, attribute in ipairs(levels.attributes_of(body)) do
      local value
      if attribute ~= generated then value = argument(run, attribute, wanted_freely) end
      if value ~= nil and sure then value = written.planned(attribute.name, value, body) end
      values[attribute.name] = value
    end
    if generated then add_generated(values, generated.expression:ast()) end
    for _, type in ipairs(sorted(by_type)) do
      local items = by_type[type]
      values[type] = items and nested(items) or frames.missing
    end
  end
  return values
end

-- Rejects `dynamic` blocks in actions. Reference: they aren't expanded there.
local function refuse_dynamic(run, body)
  if core.needs_schema(body) then return end
  for _, block in ipairs(body.blocks) do
    if block.type == "dynamic" then
      report(run, { object = block, range = block.type_range }, "The configuration of an action can't have dynamic blocks. Write the "
        .. "blocks out.")
    else
      refuse_dynamic(run, block.body)
    end
  end
end

-- Runs the checks in run.later. Reference: mistakes in values are reported only if all values fit the schema.
local function check_later(run)
  for _, check in ipairs(run.sound and run.later or {}) do check() end
end

--- Evaluates the arguments of a declaration: with a schema to an object, without one to a table of values by name. If something is wrong,
--- reports that and returns nil.
---@param walk hclexpr.module.Walk
---@param declaration hclexpr.module.Declaration|{ bodies: hclexpr.Body[] }
---@param schema? table
---@param frame hclexpr.module.Frame
---@param kept? boolean arguments mustn't be ephemeral, because they are stored
---@return hclexpr.Value|table<string, hclexpr.Value>|nil
---@return table<string, hclexpr.Attribute>? written
function configuration.evaluate(walk, declaration, schema, frame, kept)
  local prepared = schema and prepared_schemas.as_written(prepared_schemas.of(schema), declaration.bodies)
  local run = { walk = walk, frame = frame, sound = true, kept = kept, later = {}, within = {},
                block = declaration.config or declaration.block, old = prepared and prepared.old, replaced = declaration.replaced or {} }
  local list, wrong, broken = expanded(run, declaration.bodies, prepared)
  if not check_names(run, declaration.bodies, list, broken) then return nil end
  if prepared and declaration.kind == "action" then
    list, wrong = declaration.bodies, {}
    for _, body in ipairs(list) do refuse_dynamic(run, body) end
  end
  for _, err in ipairs(wrong) do
    add(run, err)
    run.reported = true
  end
  if prepared then
    local values, attributes = read(run, list, prepared)
    check_later(run)
    if run.sound then return values, attributes end
    return nil
  end
  local values = read_freely(run, list)
  check_later(run)
  if run.sound then return values, {} end
end

return configuration
