-- Reads blocks by their rows in the language's table: the parts of bodies, names, constants, references, rules, declarations.
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local lazy = require "hclexpr.lazy"
local heads = require "hclexpr.terraform.read.heads"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local rows = require "hclexpr.terraform.language.rows"
local constant_expressions = lazy "hclexpr.terraform.read.constant_expressions"

---@class hclexpr.module.Reader one file being read
---@field folder hclexpr.module.Folder
---@field file hclexpr.module.File
---@field files hclexpr.module.Files
---@field findings hclexpr.Findings
---@field json? boolean
---@field override boolean
---@field at integer the number of the block being read
---@field test? hclexpr.module.tests.File the test file, if it is one

local reading = {}

-- Schemas

-- Makes a schema for the core from a row. With in_part nothing is required, because an override gives only parts.
local function schema_of(row, in_part)
  local schema = { attributes = {}, blocks = {}, no_dynamic = true, partial = row.rest ~= nil }
  local attributes = schema.attributes
  for i, argument in ipairs(rows.arguments(row)) do
    attributes[i] = { name = argument.name, required = argument.required and not in_part }
  end
  for name in (row.reserved_arguments or ""):gmatch "%S+" do attributes[#attributes + 1] = { name = name } end
  for type, inner in pairs(row.blocks or {}) do
    schema.blocks[#schema.blocks + 1] = { type = type, labels = inner.labels or {}, nesting = 0, schema = true }
  end
  return core.schema(schema)
end

local whole, parts = {}, {}

--- Reads the content of a body by the row of its block, and reports mistakes. In an override file, required arguments may be absent if the
--- block can be overridden.
---@param reader { findings: hclexpr.Findings, override?: boolean }
---@param body hclexpr.Body
---@param row hclexpr.language.Block
---@return table<string, hclexpr.Attribute> arguments
---@return hclexpr.Block[] blocks
---@return hclexpr.Body? rest the parts that the row doesn't name
function reading.level(reader, body, row)
  local in_part = reader.override and row.override ~= nil
  local known = in_part and parts or whole
  local schema = known[row]
  if not schema then
    schema = schema_of(row, in_part)
    known[row] = schema
  end
  local arguments, blocks, err, rest = core.read_level(body, schema)
  if err then reader.findings:add(err) end
  return arguments, blocks, rest
end

--- Reports arguments that the language reserves, and removes them.
---@param reader hclexpr.module.Reader
---@param arguments table<string, hclexpr.Attribute>
---@param row hclexpr.language.Block
---@param name string the name of the diagnostic
---@param text string a format for the argument's name
function reading.refuse_reserved(reader, arguments, row, name, text)
  if not row.reserved_arguments then return end
  for argument in row.reserved_arguments:gmatch "%S+" do
    local attribute = arguments[argument]
    if attribute then
      reader.findings:report(name, { object = attribute, range = attribute.name_range }, text, argument)
      arguments[argument] = nil
    end
  end
end

--- Reads a body that may have only arguments; returns them in source order.
---@param reader hclexpr.module.Reader
---@param body hclexpr.Body
---@return hclexpr.Attribute[]
---@return boolean fine
function reading.arguments(reader, body)
  local content, err = core.level(body)
  if err then reader.findings:add(err) end
  local stray = content.blocks[1]
  if stray then
    reader.findings:report("MODULE_BLOCK", { object = stray, range = stray.type_range }, "Only arguments belong here, no blocks such "
      .. "as %s: %s = ...", stray.type, stray.type)
  end
  return core.attribute_list(content), not err and not stray
end

--- Returns true if the memory limit allows this many declarations. Otherwise reports that, and the caller leaves them out.
---@param reader hclexpr.module.Reader
---@param list hclexpr.Block[]|hclexpr.Attribute[]
---@param place_of fun(one: any): hclexpr.findings.Place
---@return boolean
function reading.hold(reader, list, place_of)
  local why = reader.files:hold(#list, "blocks and local values")
  if why then reader.findings:report("MODULE_MEMORY", place_of(list[1]), "%s", why) end
  return not why
end

-- Names

reading.NAME_RULE = "A name begins with a letter or _; letters, digits, _ and - may follow."

--- Reports a label that isn't a name.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param i integer which label
---@param what string such as "variable"
function reading.check_name(reader, block, i, what)
  local name = block.labels[i]
  if core.name_columns(name) then return end
  reader.findings:report("MODULE_NAME", { object = block, range = block.label_ranges[i] }, "%q can't name a %s. %s", name, what,
    reading.NAME_RULE)
end

-- Constants: values without references and calls

local no_names = core.scope { stdlib = false }

--- Evaluates an expression that mustn't contain references or calls.
---@param expression hclexpr.Expression
---@return hclexpr.Value? value
---@return hclexpr.Diagnostics? err
function reading.evaluate(expression)
  return check.possible(expression:value({}, no_names))
end

--- Returns the value of a constant in JSON syntax, where strings aren't templates; nil if the expression isn't JSON.
---@param expression hclexpr.Expression
---@return hclexpr.Value?
function reading.json_value(expression)
  local body = check.parsed('{"v":' .. expression:source() .. "}", { syntax = "json-literal" })
  if not body then return nil end
  return reading.evaluate(body.attributes.v.expression)
end

--- Returns the constant value of an attribute; if it isn't constant, reports that and returns nil.
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

local types = { string = check.certain(core.type "string"), boolean = check.certain(core.type "bool") }

local function wrong_kind(reader, attribute, what)
  local place = places.of_attribute(attribute)
  place.range = core.start_range(attribute.expression)
  reader.findings:report("MODULE_CONSTANT", place, "%s must be a constant %s here.", attribute.name, what)
end

-- Returns the Lua value of a constant of a given type; otherwise reports a mistake and returns nil. Reference: a value that can't be
-- evaluated is reported a second time, at its start.
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
---@return boolean? nil: it is absent, or wrong
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

local by_type = { bool = reading.flag, string = reading.text }
local constants_of = {}

local function list_constants(row)
  local list = {}
  for _, argument in ipairs(rows.arguments(row)) do
    if argument.constant then list[#list + 1] = { name = argument.name, read = by_type[argument.type] } end
  end
  constants_of[row] = list
  return list
end

--- Reads the arguments that the row calls constant into fields with the same names.
---@param reader hclexpr.module.Reader
---@param into table
---@param arguments table<string, hclexpr.Attribute>
---@param row hclexpr.language.Block
function reading.constants(reader, into, arguments, row)
  local list = constants_of[row] or list_constants(row)
  for i = 1, #list do
    local name = list[i].name
    local attribute = arguments[name]
    if attribute then into[name] = list[i].read(reader, attribute) end
  end
end

-- References

--- Reports a part that should be a reference but isn't.
---@param p hclexpr.module.Part
function reading.not_static(p)
  if p.broken then return end
  p.reader.findings:report("MODULE_STATIC", constant_expressions.place(p), "A reference belongs here, such as terraform_data.a or "
    .. "module.b: no calculation, function or template.")
end

--- Reads the elements of an attribute that must be a list.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
---@return hclexpr.module.Part[] empty if it isn't a list, which is reported
function reading.list(reader, attribute)
  local all = constant_expressions.list(constant_expressions.of(reader, attribute))
  if all then return all end
  reader.findings:report("MODULE_STATIC", { object = attribute.expression, range = core.start_range(attribute.expression) },
    "%s is a list, written out in brackets: [ ... ]", attribute.name)
  return {}
end

--- Reads elements as expressions until one is wrong. Reference: after a mistake, only elements that aren't expressions are reported.
---@param reader hclexpr.module.Reader
---@param elements hclexpr.module.Part[]
---@param read fun(p: hclexpr.module.Part, expression: hclexpr.Expression)
function reading.until_wrong(reader, elements, read)
  local before = reader.findings:count()
  for _, p in ipairs(elements) do
    local expression, err = constant_expressions.expression(p)
    if err then reader.findings:add(err)
    elseif not expression then reading.not_static(p)
    elseif reader.findings:count() == before then read(p, expression) end
  end
end

--- Reads the references in depends_on.
---@param reader hclexpr.module.Reader
---@param attribute? hclexpr.Attribute
---@return table[]? traversals
function reading.depends_on(reader, attribute)
  if not attribute then return nil end
  local all = {}
  for _, element in ipairs(reading.list(reader, attribute)) do
    local p = constant_expressions.unquoted(element, "reference")
    local traversal = constant_expressions.traversal(p)
    if not traversal then reading.not_static(p)
    elseif traversal.steps[1].text == "action" then
      reader.findings:report("MODULE_STATIC", constant_expressions.place(p),
                             "depends_on can't name an action. Name the resource that triggers it.")
    else all[#all + 1] = traversal end
  end
  return all
end

--- Returns the texts of a traversal's steps: "aws_instance.web[0]" gives { "aws_instance", "web", "0" }.
---@param traversal table
---@return string[]
function reading.words(traversal)
  local words = {}
  for i, step in ipairs(traversal.steps) do words[i] = step.text end
  return words
end

--- Reports an attribute that should be an object but isn't.
---@param reader hclexpr.module.Reader
---@param attribute hclexpr.Attribute
function reading.not_an_object(reader, attribute)
  reader.findings:report("MODULE_STATIC", { object = attribute.expression, range = core.start_range(attribute.expression) },
    "%s is an object, written out in braces: { ... }", attribute.name)
end

-- Functions for several kinds of blocks

--- Adds OpenTofu's argument `enabled` of a lifecycle block to the arguments of the declaration, where count and for_each are.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
---@param attribute? hclexpr.Attribute
function reading.take_enabled(reader, d, attribute)
  if not attribute then return end
  local other = d.arguments.count or d.arguments.for_each
  if not other then d.arguments.enabled = attribute
  else
    reader.findings:report("MODULE_STRAY", { object = attribute, range = attribute.name_range }, "%s is set, too. Set only one of "
      .. "the two.", other.name)
  end
end

-- Reports count and for_each in one block, if the row has both.
local function check_repetition(reader, arguments, row)
  local each = arguments.for_each
  if not (each and arguments.count and rows.arguments(row).count) then return end
  reader.findings:report("MODULE_STRAY", { object = each, range = each.name_range }, "count is set, too. Set only one of the two.")
end

--- Reports a second block of a type that may occur only once. Returns true for the first block.
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
  reader.findings:report("MODULE_BLOCK", places.of_block(block), "Another block %s is at %s, and only one is allowed here.",
    block.type, places.words(first.head_range))
  return false
end

--- Reports a block that the language reserves.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
function reading.refuse_block(reader, block)
  reader.findings:report("MODULE_RESERVED", { object = block, range = block.type_range }, "Blocks %s don't belong here: the language "
    .. "keeps that name.", block.type)
end

--- Reads nested blocks by the row of the enclosing block. A block `_` holds provider arguments whose names the language uses itself. Blocks
--- without a reader are reserved; these and blocks that occur too often are reported.
---@param reader hclexpr.module.Reader
---@param d { bodies: hclexpr.Body[] } such as the declaration with the blocks
---@param blocks hclexpr.Block[]
---@param row hclexpr.language.Block
---@param readers table<string, fun(reader: hclexpr.module.Reader, d: table, block: hclexpr.Block, row: hclexpr.language.Block)> by type
function reading.nested(reader, d, blocks, row, readers)
  if not blocks[1] then return end
  local seen = {}
  for _, block in ipairs(blocks) do
    local inner, read = row.blocks[block.type], readers[block.type]
    if not inner.max or reading.only_one(reader, seen, block) then
      if read then
        read(reader, d, block, inner)
      elseif block.type == "_" then
        d.bodies[#d.bodies + 1] = block.body
      else
        reading.refuse_block(reader, block)
      end
    end
  end
end

-- Rules: validation, precondition, postcondition, assert

--- Reads the block of a rule; returns nil in an override file, where rules aren't allowed.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@return hclexpr.module.Rule?
---@return boolean fine
function reading.rule(reader, block, row)
  if reader.override then
    reader.findings:report("MODULE_OVERRIDE", places.of_block(block), "Override files can't change %s blocks. Move it to the file "
      .. "that it belongs to.", block.type)
    return nil, false
  end
  local before = reader.findings:count()
  local arguments = reading.level(reader, block.body, row)
  local condition = arguments.condition
  -- Names that only test files have are recorded, so that tests/assertions.lua can check them.
  for _, name in ipairs(reader.test and { "condition", "error_message" } or {}) do
    if arguments[name] then references.of(arguments[name].expression, references.of_tests) end
  end
  if condition and #references.of(condition.expression) == 0 and #core.traversals(condition.expression) == 0 then
    reader.findings:report("MODULE_RULE", places.of_attribute(condition), "The condition refers to nothing, so its result never changes. "
      .. "Compare a value of this module.")
  end
  local rule = { kind = block.type, condition = condition, error_message = arguments.error_message, block = block }
  return rule, reader.findings:count() == before
end

--- Reads the block of a rule and adds it to the rules of a declaration.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
---@param block hclexpr.Block
---@param row hclexpr.language.Block
function reading.add_rule(reader, d, block, row)
  d.rules[#d.rules + 1] = (reading.rule(reader, block, row))
end

--- Calls found(attribute, ref) for each reference of a rule. If `found` returns true, the rest of that attribute is skipped. The references
--- don't have places.
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

--- Returns true if an output has nothing but a value. Computed once.
---@param d hclexpr.module.Declaration
---@return boolean
function reading.is_plain(d)
  if d.plain == nil then d.plain = not (d.rules[1] or d.depends_on or d.value_type or d.sensitive or d.ephemeral or d.deprecated) end
  return d.plain
end

--- Returns true if the rules of a variable refer only to the variable. Computed once.
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

--- Returns the expression of a local value or output. It is read once.
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

--- Returns the references of a local value to itself, or false. Computed once.
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
    findings:report("MODULE_SELF", { object = reading.expression(d), range = ref.range }, "The value of %s can't refer to itself. Remove "
      .. "the reference, or name another one, in %s.", d.address, config.place)
  end
end

--- Turns a head into a declaration by adding the fields that all declarations have.
---@param reader hclexpr.module.Reader
---@param head hclexpr.module.Head
---@param arguments table<string, hclexpr.Attribute>
---@return hclexpr.module.Declaration
function reading.declaration(reader, head, arguments)
  local d = head --[[@as hclexpr.module.Declaration]]
  d.folder, d.file, d.at, d.arguments, d.bodies, d.rules = reader.folder, reader.file, reader.at, arguments, {}, {}
  return d
end

local function check_names(reader, block, labels, row)
  local n = #labels
  for i = 1, n do
    if not core.name_columns(labels[i]) then
      local what = row.what
      reading.check_name(reader, block, i, i < n and ("type of a%s %s"):format(what:find "^[aeiou]" and "n" or "", what) or what)
    end
  end
end

--- Reads the declaration of a block by its row: names, arguments and constants. The second result is the nested blocks.
---@param reader hclexpr.module.Reader
---@param block hclexpr.Block
---@param row hclexpr.language.Block
---@return hclexpr.module.Declaration
---@return hclexpr.Block[]
function reading.begin(reader, block, row)
  local arguments, blocks, rest = reading.level(reader, block.body, row)
  local d = reading.declaration(reader, heads.of_block(block, row) --[[@as hclexpr.module.Head]], arguments)
  d.bodies[1] = rest
  check_names(reader, block, block.labels, row)
  check_repetition(reader, arguments, row)
  reading.constants(reader, d, arguments, row)
  return d, blocks
end

-- Removes rules that lack a part; the missing parts were already reported.
local function drop_parts(rules)
  for i = #rules, 1, -1 do
    if not (rules[i].condition and rules[i].error_message) then table.remove(rules, i) end
  end
end

--- Adds a declaration to those of its file and folder.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
function reading.enter(reader, d)
  local order = reader.file.order
  drop_parts(d.rules)
  order[#order + 1], reader.folder.declared[d.address] = d, d
end

--- Adds a declaration to a list of its folder, or reports that its name is declared already.
---@param reader hclexpr.module.Reader
---@param list table<string, hclexpr.module.Declaration> of the folder
---@param key string
---@param d hclexpr.module.Declaration
---@param what string such as "variable"
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

-- Returns the declaration that an override changes; if nothing declares it, reports that and returns nil.
local function overridden(reader, list, key, d, what)
  local base = list[key]
  if base then return base end
  reader.findings:report("MODULE_OVERRIDE", places.head_of(d), "No %s %q is declared that this could override. Declare it in a file that "
    .. "is not an override file.", what, key)
end

-- Calls found(type) for each block type that the property `dynamic` in a JSON body generates.
local function each_generated(tree, found)
  for i = 1, #(tree.items or {}), 2 do
    local key = tree.items[i]
    if key.kind == "key" then key = key.inner end
    found(key.text or key.root or "")
  end
  for _, element in ipairs(tree.elements or {}) do each_generated(element, found) end
end

-- Returns a schema of the parts of earlier bodies that a body replaces, or nil. The body replaces arguments with the same names and blocks
-- of the same types, including blocks that `dynamic` generates. A JSON property may be either.
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

-- Removes from a declaration's bodies the parts that a body replaces. Reference: these parts are never checked, but count as present.
local function replace(d, body)
  local bodies, replaced = d.bodies, d.replaced or {}
  local schema = bodies[1] and replaced_by(body)
  if not schema then return end
  for name in pairs(bodies[1].attributes) do replaced[name] = replaced[name] or body.attributes[name] and true end
  for i = 1, #bodies do bodies[i] = select(4, core.read_level(bodies[i], schema)) end
  d.replaced = next(replaced) and replaced
end

-- Merges the arguments and bodies of an override into a declaration.
local function merge(base, d)
  for name, attribute in pairs(d.arguments) do base.arguments[name] = attribute end
  for _, body in ipairs(d.bodies) do replace(base, body) end
  for _, body in ipairs(d.bodies) do base.bodies[#base.bodies + 1] = body end
end

--- Merges the constants of an override into a declaration.
---@param base table
---@param new table
---@param row hclexpr.language.Block
function reading.override_constants(base, new, row)
  for _, constant in ipairs(constants_of[row] or list_constants(row)) do
    local name = constant.name
    if new[name] ~= nil and name ~= row.kept then base[name] = new[name] end
  end
end

-- Reports an argument that an override can't change, and removes it.
local function refuse_fixed(reader, d, name)
  local first = d[name] and d[name][1]
  if not first then return end
  reader.findings:report("MODULE_OVERRIDE", { object = d.arguments[name], range = first.range }, "Override files can't change %s.", name)
  d.arguments[name] = nil
end

--- Adds a declaration to its folder, or in an override file changes the existing declaration. `override` makes the changes that the row
--- doesn't describe.
---@param reader hclexpr.module.Reader
---@param d hclexpr.module.Declaration
---@param row hclexpr.language.Block
---@param override? fun(reader: hclexpr.module.Reader, base: hclexpr.module.Declaration, d: hclexpr.module.Declaration, row: table)
---@return boolean? new nil in an override
function reading.settle(reader, d, row, override)
  local list, key = reader.folder[row.list], d.key or d.mode and d.address or d.name
  if not reader.override then return reading.declare(reader, list, key, d, row.what) end
  local base = overridden(reader, list, key, d, row.what)
  if not base then return end
  for _, name in ipairs(row.fixed or {}) do refuse_fixed(reader, d, name) end
  reading.override_constants(base, d, row)
  merge(base, d)
  if override then override(reader, base, d, row) end
end

return reading
