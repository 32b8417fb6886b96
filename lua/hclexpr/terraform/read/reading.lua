-- What the kinds of blocks (blocks/) are read with: levels of bodies, names, constants, references, rules.
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local static = require "hclexpr.terraform.read.static"

---@class hclexpr.module.Reader one file being read
---@field folder hclexpr.module.Folder
---@field file hclexpr.module.File
---@field findings hclexpr.Findings
---@field json boolean
---@field override boolean
---@field at integer the block that is read, among those of the file
---@field test? hclexpr.module.tests.File where it is a test file

local reading = {}

-- Schemas

--- A prepared schema (lua/hclexpr/schema.lua) of names: attributes as words, those that are required with a "!" behind; blocks by type
--- with the names of their labels.
---@param attributes string
---@param blocks? table<string, string[]>
---@param partial? boolean what it doesn't name is for another schema
---@return table
function reading.schema(attributes, blocks, partial)
  local schema = { attributes = {}, blocks = {}, no_dynamic = true, partial = partial }
  for name, required in attributes:gmatch "([%w_]+)(!?)" do
    schema.attributes[#schema.attributes + 1] = { name = name, required = required == "!" }
  end
  for type, labels in pairs(blocks or {}) do
    schema.blocks[#schema.blocks + 1] = { type = type, labels = labels, nesting = 0, schema = true }
  end
  schema.read = core.schema(schema)
  return schema
end

--- The same with nothing required, for overrides.
---@param schema table
---@return table
function reading.optional(schema)
  local attributes = {}
  for i, attribute in ipairs(schema.attributes) do attributes[i] = { name = attribute.name } end
  local made = { attributes = attributes, blocks = schema.blocks, no_dynamic = true, partial = schema.partial }
  made.read = core.schema(made)
  return made
end

--- The content of a body by a schema; what is wrong is reported.
---@param reader hclexpr.module.Reader
---@param body hclexpr.Body
---@param schema table
---@return table<string, hclexpr.Attribute> arguments
---@return hclexpr.Block[] blocks
---@return hclexpr.Body? rest what a partial schema leaves
function reading.level(reader, body, schema)
  local arguments, blocks, err, rest = core.read_level(body, schema.read)
  if err then reader.findings:add(err) end
  return arguments, blocks, rest
end

--- A body that may hold arguments only, in source order.
---@param reader hclexpr.module.Reader
---@param body hclexpr.Body
---@return hclexpr.Attribute[]
---@return boolean fine
function reading.arguments(reader, body)
  local content, err = core.level(body)
  if err then reader.findings:add(err) end
  local stray = content.blocks[1]
  if stray then
    reader.findings:report("MODULE_BLOCK", { object = stray, range = stray.type_range }, "Only arguments stand here, no blocks such "
      .. "as %s: %s = ...", stray.type, stray.type)
  end
  return core.attribute_list(content), not err and not stray
end

-- Names

reading.NAME_RULE = "A name begins with a letter or _; letters, digits, _ and - may follow."

--- Reports a label that is no name.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param i integer which label
---@param what string "variable", say
function reading.check_name(reader, block, i, what)
  local name = block.labels[i]
  if core.name_columns(name) then return end
  reader.findings:report("MODULE_NAME", { object = block, range = block.label_ranges[i] }, "%q can't name a %s. %s", name, what,
    reading.NAME_RULE)
end

-- Constants: values without names and functions

local no_names = core.scope { stdlib = false }

--- The value of an expression that may name nothing and call nothing.
---@param expression hclexpr.Expression
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function reading.evaluate(expression)
  return expression:value({}, no_names)
end

--- In JSON syntax a constant is not a template: its value; nil: it is not JSON.
---@param expression hclexpr.Expression
---@return hclexpr.Value?
function reading.json_value(expression)
  local body = core.parse('{"v":' .. expression:source() .. "}", { syntax = "json-literal" })
  if not body then return nil end
  return reading.evaluate(body.attributes.v.expression)
end

--- The constant that an attribute is; nil: it is none, which was reported.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return hclexpr.Value?
function reading.constant(reader, attribute)
  local value, err
  if reader.json then value = reading.json_value(attribute.expression) end
  if value == nil then value, err = reading.evaluate(attribute.expression) end
  if value == nil then reader.findings:add(err) end
  return value
end

local types = { string = certain(core.type "string"), boolean = certain(core.type "bool") }

local function wrong_kind(reader, attribute, what)
  local place = places.of_attribute(attribute)
  place.range = core.start_range(attribute.expression)
  reader.findings:report("MODULE_CONSTANT", place, "%s must be a %s that is written out here.", attribute.name, what)
end

-- The Lua value of a constant of a type, or nil and a report. Reference: a value that is wrong in itself is reported at its start, too.
local function constant_of(reader, attribute, kind, what)
  local written = core.written(attribute)
  if type(written) == kind then return written end
  local value = reading.constant(reader, attribute)
  local converted = value and types[kind]:convert(value)
  if converted and converted:is_known() and not converted:is_null() then return converted:lua() end
  wrong_kind(reader, attribute, what)
  return nil
end

---@param reader hclexpr.module.Reader
---@param attribute? hclexpr.Attribute
---@return boolean? nil: it is not there, or wrong
function reading.flag(reader, attribute)
  if not attribute then return nil end
  return constant_of(reader, attribute, "boolean", "bool")
end

---@param reader hclexpr.module.Reader
---@param attribute? hclexpr.Attribute
---@return string?
function reading.text(reader, attribute)
  if not attribute then return nil end
  return constant_of(reader, attribute, "string", "string")
end

-- References

--- Reports a part that should be a reference.
---@param p hclexpr.module.Part
function reading.not_static(p)
  p.reader.findings:report("MODULE_STATIC", static.place(p), "A reference belongs here, such as terraform_data.a or module.b: no "
    .. "calculation, function or template.")
end

--- The elements of an attribute that must be a list.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return hclexpr.module.Part[] empty if it is none, which was reported
function reading.list(reader, attribute)
  local all = static.list(static.of(reader, attribute))
  if all then return all end
  reader.findings:report("MODULE_STATIC", { object = attribute.expression, range = core.start_range(attribute.expression) },
    "%s is a list, written out in brackets: [ ... ]", attribute.name)
  return {}
end

--- Reads elements as expressions until one is wrong. Reference: what follows that is passed over.
---@param reader hclexpr.module.Reader
---@param elements hclexpr.module.Part[]
---@param read fun(p: hclexpr.module.Part, expression: hclexpr.Expression)
function reading.until_wrong(reader, elements, read)
  local before = reader.findings:count()
  for _, p in ipairs(elements) do
    local expression, err = static.expression(p)
    if expression then read(p, expression)
    elseif err then reader.findings:add(err)
    else reading.not_static(p) end
    if reader.findings:count() > before then return end
  end
end

--- The references in depends_on.
---@param reader hclexpr.module.Reader
---@param attribute? hclexpr.Attribute
---@return table[]? traversals
function reading.depends_on(reader, attribute)
  if not attribute then return nil end
  local all = {}
  for _, element in ipairs(reading.list(reader, attribute)) do
    local p = static.unquoted(element, "reference")
    local traversal = static.traversal(p)
    if not traversal then reading.not_static(p)
    elseif traversal.steps[1].text == "action" then
      reader.findings:report("MODULE_STATIC", static.place(p), "depends_on can't name an action. Name the resource that triggers it.")
    else all[#all + 1] = traversal end
  end
  return all
end

--- The words of a traversal: "aws_instance.web[0]" is { "aws_instance", "web", "0" }.
---@param traversal table
---@return string[]
function reading.words(traversal)
  local words = {}
  for i, step in ipairs(traversal.steps) do words[i] = step.text end
  return words
end

--- Reports an attribute that must be an object.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
function reading.not_an_object(reader, attribute)
  reader.findings:report("MODULE_STATIC", { object = attribute.expression, range = core.start_range(attribute.expression) },
    "%s is an object, written out in braces: { ... }", attribute.name)
end

-- What several kinds have

--- Reports count and for_each together.
---@param reader hclexpr.module.Reader
---@param arguments table<string, hclexpr.Attribute>
function reading.check_repetition(reader, arguments)
  local each = arguments.for_each
  if not (each and arguments.count) then return end
  reader.findings:report("MODULE_STRAY", { object = each, range = each.name_range }, "count is set, too, and only one of the two "
    .. "can say how many there are.")
end

--- Reports a block of which there may be one, and is another.
---@param reader hclexpr.module.Reader
---@param seen table<string, hclexpr.Block> the first blocks by type
---@param block hclexpr.Block
---@return boolean first
function reading.only_one(reader, seen, block)
  local first = seen[block.type]
  if not first then
    seen[block.type] = block
    return true
  end
  reader.findings:report("MODULE_BLOCK", places.of_block(block), "There is a block %s at %s already, and only one may be here.",
    block.type, places.words(first.head_range))
  return false
end

--- Blocks _ , whose arguments are for the schema of the rest though they are called as those of the language; reports blocks of types
--- that are none of `known`: the language keeps their names.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
---@param blocks hclexpr.Block[]
---@param known table<string, true>
function reading.escapes(reader, d, blocks, known)
  local seen = {}
  for _, block in ipairs(blocks) do
    if block.type == "_" then
      if reading.only_one(reader, seen, block) then d.bodies[#d.bodies + 1] = block.body end
    elseif not known[block.type] then
      reader.findings:report("MODULE_RESERVED", { object = block, range = block.type_range }, "Blocks %s can't stand here: the "
        .. "language keeps that name.", block.type)
    end
  end
end

-- Rules: validation, precondition, postcondition, assert

local rule_schema = reading.schema "condition! error_message!"

--- A rule's block; nil in an override, where none may be.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@return hclexpr.module.Rule?
---@return boolean fine
function reading.rule(reader, block)
  if reader.override then
    reader.findings:report("MODULE_OVERRIDE", places.of_block(block), "Override files can't change %s blocks. Move it to the file "
      .. "that it belongs to.", block.type)
    return nil, false
  end
  local before = reader.findings:count()
  local arguments = reading.level(reader, block.body, rule_schema)
  local condition = arguments.condition
  -- Where names of tests are known they are looked at there (tests/judging.lua).
  for _, name in ipairs(reader.test and { "condition", "error_message" } or {}) do
    if arguments[name] then references.of(arguments[name].expression, references.of_tests) end
  end
  if condition and #core.traversals(condition.expression) == 0 then
    reader.findings:report("MODULE_RULE", places.of_attribute(condition), "The condition refers to nothing, so it is always the same. "
      .. "Compare a value of this module.")
  end
  local rule = { kind = block.type, condition = condition, error_message = arguments.error_message, block = block }
  return rule, reader.findings:count() == before
end

--- Calls found(attribute, ref) for each reference of a rule, attribute by attribute, until it returns true. They are without places.
---@param rule hclexpr.module.Rule
---@param found fun(attribute: hclexpr.Attribute, ref: hclexpr.module.Reference): boolean?
function reading.each_reference(rule, found)
  for _, name in ipairs { "condition", "error_message" } do
    local attribute = rule[name]
    for _, ref in ipairs(attribute and references.of(attribute.expression) or {}) do
      if found(attribute, ref) then break end
    end
  end
end

-- Declarations

--- Is an output nothing but a value? Worked out once.
---@param d hclexpr.module.Declaration
---@return boolean
function reading.is_plain(d)
  if d.plain == nil then d.plain = not (d.rules[1] or d.depends_on or d.value_type or d.sensitive or d.ephemeral or d.deprecated) end
  return d.plain
end

--- Do the rules of a variable name nothing else? Worked out once.
---@param d hclexpr.module.Declaration
---@return boolean
function reading.is_alone(d)
  if d.alone == nil then
    d.alone = true
    for _, rule in ipairs(d.rules) do
      reading.each_reference(rule, function(_, ref) d.alone = d.alone and ref.key == d.address end)
    end
  end
  return d.alone
end

--- The expression of a local value or output.
---@param d hclexpr.module.Declaration
---@return hclexpr.Expression
function reading.expression(d)
  local expression = d.expression
  if not expression then
    expression = d.arguments.value.expression
    d.expression = expression
  end
  return expression
end

--- The references of a local value to itself; false: none. Worked out once.
---@param d hclexpr.module.Declaration
---@return hclexpr.module.Reference[]|false
function reading.naming_itself(d)
  if d.names_itself == nil then
    d.names_itself = references.chosen(reading.expression(d), function(ref) return ref.key == d.address end) or false
  end
  return d.names_itself
end

--- Reports the references of a local value to itself.
---@param findings hclexpr.Findings
---@param d hclexpr.module.Declaration
---@param config hclexpr.module.Config
function reading.tell_itself(findings, d, config)
  for _, ref in ipairs(reading.naming_itself(d) or {}) do
    findings:report("MODULE_SELF", { object = reading.expression(d), range = ref.range }, "The value of %s can't be made of itself. Take "
      .. "the reference out, or name another one, in %s.", d.address, config.place)
  end
end

--- A declaration with the fields that each has.
---@param reader hclexpr.module.Reader
---@param kind string
---@param name string
---@param address string
---@param block? hclexpr.Block
---@param arguments table<string, hclexpr.Attribute>
---@return hclexpr.module.Declaration
function reading.declaration(reader, kind, name, address, block, arguments)
  return {
    kind = kind, name = name, address = address, folder = reader.folder, file = reader.file, at = reader.at, block = block,
    arguments = arguments, bodies = {}, rules = {},
  }
end

-- A rule that lacks a part, which was reported, says nothing.
local function drop_parts(rules)
  for i = #rules, 1, -1 do
    if not (rules[i].condition and rules[i].error_message) then table.remove(rules, i) end
  end
end

--- Puts it among what the folder declares.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
function reading.enter(reader, d)
  local order = reader.file.order
  drop_parts(d.rules)
  order[#order + 1], reader.folder.declared[d.address] = d, d
end

--- Makes it known to the folder, and reports that another of its name is.
---@param reader hclexpr.module.Reader
---@param list table<string, hclexpr.module.Declaration> of the folder
---@param key string
---@param d hclexpr.module.Declaration
---@param what string "variable", say
---@return boolean new
function reading.declare(reader, list, key, d, what)
  local known = list[key]
  if known then
    reader.findings:report("MODULE_DUPLICATE", places.head_of(d), "The %s %q is declared at %s already. Rename or remove one of the "
      .. "two.", what, key, places.words(places.head_of(known).range))
    return false
  end
  list[key] = d
  reading.enter(reader, d)
  return true
end

--- What an override is for; nil: nothing, which is reported.
---@param reader hclexpr.module.Reader
---@param list table<string, hclexpr.module.Declaration>
---@param key string
---@param d hclexpr.module.Declaration what the override says
---@param what string
---@return hclexpr.module.Declaration?
function reading.overridden(reader, list, key, d, what)
  local base = list[key]
  if base then return base end
  reader.findings:report("MODULE_OVERRIDE", places.head_of(d), "There is no %s %q that this could override. Declare it in a file that "
    .. "is no override.", what, key)
end

-- Calls found(type) for the types of blocks that the `dynamic` property of a body of JSON syntax generates.
local function each_generated(tree, found)
  for i = 1, #(tree.items or {}), 2 do
    local key = tree.items[i]
    if key.kind == "key" then key = key.inner end
    found(key.text or key.root or "")
  end
  for _, element in ipairs(tree.elements or {}) do each_generated(element, found) end
end

-- What a body takes the place of in those before it, as a schema: arguments of its names, and blocks of its types, be they generated or
-- not. Properties of JSON syntax may be either. nil: nothing.
local function replaced_by(body)
  local attributes, blocks, seen = {}, {}, {}
  local is_json = core.needs_schema(body)
  local function add_block(type)
    if not seen[type] then seen[type], blocks[#blocks + 1] = true, { type = type, labels = {}, nesting = 0 } end
  end
  for name, attribute in pairs(body.attributes) do
    if is_json and name == "dynamic" then
      each_generated(attribute.expression:ast(), add_block)
    else
      attributes[#attributes + 1] = { name = name }
      if is_json then add_block(name) end
    end
  end
  for _, block in ipairs(body.blocks) do add_block(block.type == "dynamic" and block.labels[1] or block.type) end
  return (attributes[1] or blocks[1]) and core.schema { attributes = attributes, blocks = blocks, partial = true }
end

-- Leaves out of the bodies of a declaration what a body takes the place of. Reference: it is never looked at, except that it was there.
local function replace(d, body)
  local bodies, replaced = d.bodies, d.replaced or {}
  local schema = bodies[1] and replaced_by(body)
  if not schema then return end
  for name in pairs(bodies[1].attributes) do replaced[name] = replaced[name] or body.attributes[name] and true end
  for i = 1, #bodies do bodies[i] = select(4, core.read_level(bodies[i], schema)) end
  d.replaced = next(replaced) and replaced
end

--- Takes over the arguments and bodies of an override.
---@param base hclexpr.module.Declaration
---@param d hclexpr.module.Declaration
function reading.merge(base, d)
  for name, attribute in pairs(d.arguments) do base.arguments[name] = attribute end
  for _, body in ipairs(d.bodies) do replace(base, body) end
  for _, body in ipairs(d.bodies) do base.bodies[#base.bodies + 1] = body end
end

--- Reports depends_on in an override, which can't be changed.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
function reading.keep_depends_on(reader, d)
  local first = d.depends_on and d.depends_on[1]
  if not first then return end
  reader.findings:report("MODULE_OVERRIDE", { object = d.arguments.depends_on, range = first.range }, "Override files can't change "
    .. "depends_on.")
  d.arguments.depends_on = nil
end

return reading
