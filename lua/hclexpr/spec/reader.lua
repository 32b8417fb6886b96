-- Reads a specification: converts a body of spec blocks to nodes (kinds.lua).
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local Findings = require "hclexpr.findings"
local functions = require "hclexpr.spec.functions"
local kinds = require "hclexpr.spec.kinds"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"
local user_functions = require "hclexpr.body.user_functions"

-- The scope for constants: most arguments of a specification may neither read names nor call functions.
local no_names = core.scope { stdlib = false }

local types = {
  text = certain(core.type "string"), flag = certain(core.type "bool"), number = certain(core.type "number"),
  texts = certain(core.type "list(string)"),
}

local reads = {}

-- Reads a constant argument, and converts its value to a type; nil if the value is null, or after reporting that it is wrong.
local function read_constant(reader, attribute, type)
  local value, err = attribute:value({}, no_names)
  if value == nil then
    reader.findings:add(err)
    return nil
  end
  if value:is_null() then return nil end
  local converted
  converted, err = type:convert(value)
  if converted ~= nil then return converted end
  reader.findings:report("SPEC_ARGUMENT", places.of_constant(attribute), "%s has the wrong type: %s.", attribute.name,
    Findings.clause(err, true))
end

function reads.text(reader, attribute)
  local value = read_constant(reader, attribute, types.text)
  return value and value:text()
end

function reads.flag(reader, attribute)
  local value = read_constant(reader, attribute, types.flag)
  return value and value:lua()
end

function reads.number(reader, attribute)
  return read_constant(reader, attribute, types.number)
end

function reads.count(reader, attribute)
  local value = read_constant(reader, attribute, types.number)
  local n = value and value:lua()
  if type(n) == "number" and n >= 0 and n % 1 == 0 and n < 2 ^ 31 then return n end
  if value then
    reader.findings:report("SPEC_ARGUMENT", places.of_constant(attribute), "%s must be a whole number from 0, and is %s.",
      attribute.name, tostring(value))
  end
end

function reads.texts(reader, attribute)
  local value = read_constant(reader, attribute, types.texts)
  return value and value:lua()
end

reads["type"] = function(reader, attribute)
  local constant = attribute.expression:literal()
  if constant == core.null then return certain(core.type "any") end
  -- JSON has a string where native syntax has a type.
  local made, err
  if reader.json and type(constant) == "string" then
    made, err = core.type(constant)
    if not made then
      reader.findings:report("SPEC_ARGUMENT", places.of_attribute(attribute), "%s", err[1].detail)
    end
    return made
  end
  made, err = core.expression_type(attribute.expression)
  if not made then reader.findings:add(err) end
  return made
end

function reads.value(reader, attribute)
  local value, err = attribute:value({}, reader.scope)
  if value == nil then reader.findings:add(err) end
  return value
end

function reads.expression(_, attribute)
  return attribute.expression
end

-- By the kind of an argument (a field of `reads`): a function that returns the value of a missing argument. For other kinds it is nil.
local absent = { type = function() return certain(core.type "any") end, flag = function() return false end }

-- The schema (lua/hclexpr/body/schema.lua) of each kind has its arguments, and blocks of all kinds if the kind contains specs.

local function add_spec_blocks(blocks, labels)
  for name in pairs(kinds) do blocks[#blocks + 1] = { type = name, labels = labels, nesting = 0 } end
  return blocks
end

local function schema_of(kind)
  local schema, needed = { attributes = {}, blocks = {} }, {}
  for _, name in ipairs(kind.needed or {}) do needed[name] = true end
  for name in pairs(kind.arguments or {}) do schema.attributes[#schema.attributes + 1] = { name = name, required = needed[name] } end
  if kind.nested ~= "none" then add_spec_blocks(schema.blocks, kind.nested == "named" and { "name" } or {}) end
  return schema
end

local schemas = {}
for name, kind in pairs(kinds) do schemas[name] = schema_of(kind) end

local root_schema = {
  attributes = {},
  blocks = add_spec_blocks({
    { type = "variables", labels = {}, nesting = 0 },
    user_functions.block,
  }, {}),
}

-- Reads the content of a body. Returns it, the place to report missing parts at, and whether all of the body could be read.
local function content_of(reader, body, schema)
  local content, err = core.level(body, schema)
  if err then reader.findings:add(err) end
  return content, levels.missing_in(content), err == nil
end

local function spec_blocks(content)
  local found = {}
  for _, block in ipairs(content.blocks) do
    if kinds[block.type] then found[#found + 1] = block end
  end
  return found
end

-- Reports an error unless there is exactly one spec block; `blocks` has all of them. A missing block is reported only if the whole body
-- could be read.
local function check_one(reader, blocks, whole, missing, what)
  if blocks[2] then
    reader.findings:report("SPEC_NESTED", places.of_block(blocks[2]), "%s holds one spec block, but this is a second one. Put them into an "
      .. "object or array.", what)
  elseif not blocks[1] and whole then
    reader.findings:report("SPEC_NESTED", missing, "%s must hold one spec block, such as object { }.", what)
  end
end

local read_spec

---@type table<string, fun(reader: table, node: hclexpr.spec.Node, blocks: hclexpr.Block[], whole?: boolean, missing?: hclexpr.findings.Place)>
local nested = {
  none = function() end,
  any = function(reader, node, blocks)
    for i, block in ipairs(blocks) do node.items[i] = read_spec(reader, block) end
  end,
  named = function(reader, node, blocks)
    node.names = {}
    for i, block in ipairs(blocks) do
      node.names[i] = block.labels[1]
      node.items[i] = read_spec(reader, block, block.labels[1])
    end
  end,
}

function nested.one(reader, node, blocks, whole, missing)
  check_one(reader, blocks, whole, missing, node.kind.name)
  if blocks[1] then node.items[1] = read_spec(reader, blocks[1]) end
end

function nested.some(reader, node, blocks, whole, missing)
  if not blocks[1] then return check_one(reader, blocks, whole, missing, node.kind.name) end
  nested.any(reader, node, blocks)
end

function nested.body(reader, node, blocks, whole, missing)
  check_one(reader, blocks, whole, missing, node.kind.name)
  reader.depth = reader.depth + 1
  node.body = blocks[1] and read_spec(reader, blocks[1])
  reader.depth = reader.depth - 1
end

local function read_arguments(reader, node, content)
  local arguments = node.kind.arguments or {}
  for name, how in pairs(arguments) do
    if absent[how] and not content.attributes[name] then node[name] = absent[how]() end
  end
  for _, attribute in ipairs(levels.attributes_of(content)) do
    node[attribute.name] = reads[arguments[attribute.name]](reader, attribute)
  end
end

-- Reads a block as a node. `implied` is its label in an object, the default of the argument that names a part of the body.
function read_spec(reader, block, implied)
  local kind = kinds[block.type]
  local node = { kind = kind, items = {}, place = places.of_block(block) }
  local content, missing, whole = content_of(reader, block.body, schemas[block.type])
  read_arguments(reader, node, content)
  if kind.selector then
    local given = content.attributes[kind.selector]
    node[kind.selector] = node[kind.selector] or implied
    if not node[kind.selector] and (not given or given.expression:literal() == core.null) then
      reader.findings:report("SPEC_NAME", missing, "%s needs the argument %s, its name in the input.", kind.name, kind.selector)
    end
  end
  if kind.inside_block and reader.depth == 0 then
    reader.findings:report("SPEC_NESTED", places.of_block(block), "%s gives a label of the block around it, but it is in no block.",
      kind.name)
  end
  nested[kind.nested](reader, node, spec_blocks(content), whole, missing)
  if kind.nested == "body" and node.labels and #node.labels == 0 then
    reader.findings:report("SPEC_NAME", missing, "labels must name at least one label.")
  end
  if kind.check and reader.findings:count() == 0 then
    kind.check(node, function(text) reader.findings:report("SPEC_NESTED", missing, "%s", text) end)
  end
  return node
end

-- Items outside of the root spec

local function read_variables(reader, block, variables)
  if block.body.blocks[1] then
    local stray = block.body.blocks[1]
    reader.findings:report("SPEC_NESTED", { object = stray, range = stray.type_range }, "A block variables takes only arguments.")
  end
  for _, attribute in ipairs(levels.attributes_of(block.body)) do variables[attribute.name] = reads.value(reader, attribute) end
end

-- Checks that specs which look for the same blocks agree on the number of labels.
local function check_labels(reader, node)
  for _, other in ipairs(levels.expectations_of(node).conflicts) do
    reader.findings:report("SPEC_NESTED", other.place, "Another spec of this body takes blocks of type %s with another number of labels.",
      other.block_type)
  end
  levels.each(node, function(spec)
    if spec.body then check_labels(reader, spec.body) end
  end)
end

--- Reads the body of a specification.
---@param body hclexpr.Body
---@param json boolean true if the body is of JSON syntax
---@return { root: table, variables: table, functions: table }? spec
---@return hclexpr.Diagnostics? err
local function read(body, json)
  local reader = { findings = Findings.new(), scope = functions.scope, depth = 0, json = json }
  local content, missing, whole = content_of(reader, body, root_schema)
  local spec = { variables = {}, functions = {} }
  for _, block in ipairs(content.blocks) do
    if block.type == "variables" then read_variables(reader, block, spec.variables)
    elseif block.type == "function" then user_functions.read(reader.findings, block, spec.functions, { scope = reader.scope }) end
  end
  local blocks = spec_blocks(content)
  check_one(reader, blocks, whole, missing, "A specification")
  if blocks[1] then spec.root = read_spec(reader, blocks[1]) end
  if reader.findings:count() == 0 then check_labels(reader, spec.root) end
  local err = reader.findings:diagnostics()
  if err then return nil, err end
  return spec
end

return read
