-- Schemas of bodies (doc/api.md, "Schemas"): checks the tables that users write, and prepares them for the core.
local advice = require "hclexpr.advice"
local core = require "hclexpr.core"
local check = require "hclexpr.check"
local typecheck = require "hclexpr.typecheck"
local rules = require "hclexpr.body.rules"

---@class hclexpr.Schema says what a body may hold
---@field attributes? table<string, hclexpr.SchemaAttribute>
---@field blocks? table<string, hclexpr.SchemaBlock>

---@class hclexpr.SchemaAttribute
---@field type? hclexpr.Type|string default: any type; "expression" keeps the argument as an Attribute, without evaluating it
---@field returns? hclexpr.Type|string for a kept expression: the type that body:check requires of its result
---@field required? boolean true: the argument must be given and not be null
---@field default? any the value of an absent or null argument
---@field one_of? any[] the values that are allowed
---@field min? number the smallest number allowed
---@field max? number the largest number allowed
---@field pattern? string a regular expression as in regexall(), which must match a part of the string
---@field check? fun(value: any): any, (string|hclexpr.Diagnostics)? returns nil and what is wrong, or any other value if the argument is right
---@field description? string for readers of the schema

---@class hclexpr.SchemaBlock
---@field labels? string[] names of the labels; the labels become fields of the block's table, or the keys of a map
---@field nesting? "list"|"set"|"map"|"single" default "list"
---@field min? integer
---@field max? integer
---@field schema? hclexpr.Schema the schema of the block's body; default: the body must be empty

-- The nesting of schemas is limited because the core reads them by recursion.
local DEEPEST = 1000 -- levels below the outermost schema

local nestings = { list = 0, set = 1, map = 2, single = 3 }
local fields = {
  schema = { attributes = "table", blocks = "table" },
  attribute = { type = "any", required = "boolean", default = "any", returns = "any", description = "string", one_of = "table",
                min = "any", max = "any", pattern = "string", check = "function" },
  block = { labels = "table", nesting = "string", min = "number", max = "number", schema = "table" },
}

-- Raises an error that names the argument and the place in the schema.
local function misuse(context, path, message, ...)
  local where = path == "" and "schema" or "schema" .. path
  error(string.format("bad argument #%d to '%s' (%s: %s)", context.arg, context.name, where, string.format(message, ...)), 0)
end

-- Suggests what to write instead of an unknown key in a schema, attribute or block: returns a text that begins with "; ", or "".
local function instead(kind, key, value)
  local near = advice.did_you_mean(key, fields[kind])
  if near ~= "" then return near end
  local part = fields.schema[key] and key or type(value) == "table" and value.attributes and "blocks" or "attributes"
  if kind == "block" then return string.format("; write schema = { %s = { ... } }", part) end
  return kind == "schema" and type(key) == "string" and string.format("; write %s = { %s = { ... } }", part, key) or ""
end

local function check_table(context, path, kind, t)
  if type(t) ~= "table" then
    local way = kind == "attribute" and type(t) == "string" and string.format('; write { type = "%s" }', t) or ""
    misuse(context, path, "a table expected, got %s%s", type(t), way)
  end
  for key, value in next, t do
    local want = fields[kind][key]
    if not want then misuse(context, path, "no field of a schema is named '%s'%s", tostring(key), instead(kind, key, value)) end
    if want ~= "any" and type(value) ~= want then misuse(context, path .. "." .. key, "a %s expected, got %s", want, type(value)) end
  end
end

local function check_name(context, path, name)
  if type(name) ~= "string" then misuse(context, path, "names are strings, not %s", type(name)) end
  return path .. "." .. name
end

local function prepare_type(context, path, t)
  local made, why = typecheck.type_of(t)
  if not made then misuse(context, path, "%s", why) end
  return made
end

-- Prepares an argument whose expression is kept. If the schema is for body:check, the argument is evaluated like any other.
local function prepare_expression(context, path, a, out)
  if a.default ~= nil then misuse(context, path .. ".default", "an expression that is kept has no default") end
  if a.returns ~= nil then out.returns = prepare_type(context, path .. ".returns", a.returns) end
  out.kept = not context.checks
  if context.checks then out.type = out.returns end
  context.asked.expressions = true
  return out
end

local function prepare_attribute(context, path, name, a)
  check_table(context, path, "attribute", a)
  local out = { name = name, required = a.required }
  local err
  if a.type == "expression" then return prepare_expression(context, path, a, out) end
  if a.returns ~= nil then misuse(context, path .. ".returns", 'is for an expression that is kept: type = "expression"') end
  if a.type ~= nil then out.type = prepare_type(context, path .. ".type", a.type) end
  if a.default ~= nil then
    if a.required then misuse(context, path, "a required argument has no default") end
    out.default, err = core.value(a.default, out.type)
    if out.default == nil then misuse(context, path .. ".default", "%s%s", err[1].detail, advice.of_empty(a.default, out.type)) end
  end
  if rules.has(a) then
    out.rules = rules.of(a, out.type, out.default, function(field, message) misuse(context, path .. field, "%s", message) end)
    context.asked.rules = true
  end
  return out
end

local prepare

local function prepare_labels(context, path, b)
  local labels, seen, n = {}, {}, 0
  for i, label in ipairs(b.labels or {}) do
    if type(label) ~= "string" then misuse(context, path .. ".labels", "names are strings, not %s", type(label)) end
    if seen[label] then misuse(context, path .. ".labels", "'%s' is there twice", label) end
    labels[i], seen[label] = label, true
  end
  for _ in next, b.labels or {} do n = n + 1 end
  if n ~= #labels then misuse(context, path .. ".labels", "an array of names expected, without other keys") end
  return labels, seen
end

local function check_count(context, path, n)
  if n and not check.is_count(n) then misuse(context, path, "a whole number of blocks expected, not %s", tostring(n)) end
  return n
end

local function prepare_block(context, path, kind, b)
  check_table(context, path, "block", b)
  local labels, is_label = prepare_labels(context, path, b)
  local nesting = nestings[b.nesting or "list"]
  if not nesting then misuse(context, path .. ".nesting", 'must be "list", "set", "map" or "single", not "%s"', b.nesting) end
  if nesting == nestings.map and #labels == 0 then misuse(context, path, "a map of blocks needs labels to be found by") end
  local single = nesting == nestings.single
  local out = {
    type = kind, labels = labels, nesting = nesting, min = check_count(context, path .. ".min", b.min),
    max = check_count(context, path .. ".max", b.max) or single and 1 or nil,
  }
  if single and out.max > 1 then misuse(context, path .. ".max", "a single block is at most one") end
  if out.min and out.max and out.min > out.max then
    misuse(context, path .. ".min", "%d blocks at least, and at most %d: no number is both", out.min, out.max)
  end
  if b.schema ~= nil then
    out.schema = prepare(context, path .. ".schema", b.schema)
    if nesting == nestings.set then context.sets[#context.sets + 1] = { path = path, schema = out.schema } end
    for _, part in ipairs(nesting == nestings.map and {} or { b.schema.attributes or {}, b.schema.blocks or {} }) do
      for name in next, part do
        if is_label[name] then misuse(context, path .. ".labels", "'%s' is the name of a label and of what the block holds", name) end
      end
    end
  end
  return out
end

function prepare(context, path, schema)
  local known = context.known[schema]
  if known then return known end
  local out = { attributes = {}, blocks = {} }
  check_table(context, path, "schema", schema)
  context.known[schema] = out
  context.depth = context.depth + 1
  if context.depth > DEEPEST + 1 then
    misuse(context, "", "nested more than %d levels deep: one that repeats itself may hold itself", DEEPEST)
  end
  for name, a in next, schema.attributes or {} do
    local at = check_name(context, path .. ".attributes", name)
    out.attributes[#out.attributes + 1] = prepare_attribute(context, at, name, a)
  end
  for kind, b in next, schema.blocks or {} do
    local at = check_name(context, path .. ".blocks", kind)
    if (schema.attributes or {})[kind] ~= nil then misuse(context, at, "is the name of an argument, too") end
    out.blocks[#out.blocks + 1] = prepare_block(context, at, kind, b)
  end
  context.depth = context.depth - 1
  return out
end

local function keeps_expressions(schema, seen)
  if seen[schema] then return false end
  seen[schema] = true
  for _, a in ipairs(schema.attributes) do
    if a.kept then return true end
  end
  for _, b in ipairs(schema.blocks) do
    if b.schema and keeps_expressions(b.schema, seen) then return true end
  end
  return false
end

-- Sorts the parts of a schema by name, because broken rules are reported in this order.
local function sort(prepared)
  table.sort(prepared.attributes, function(a, b) return a.name < b.name end)
  table.sort(prepared.blocks, function(a, b) return a.type < b.type end)
end

local function prepare_all(context, schema)
  local out = prepare(context, "", schema)
  if context.asked.rules then
    for _, prepared in next, context.known do sort(prepared) end
  end
  for _, set in ipairs(context.sets) do
    if not context.checks and keeps_expressions(set.schema, {}) then
      misuse(context, set.path .. ".nesting", "expressions can't be compared, so blocks that keep some can't be a set; use a list")
    end
  end
  return out
end

-- Prepares the schema that was given as argument number `arg` of the method `name`; raises an error if it is wrong. The second result says
-- what decoding needs besides values, as { expressions, rules }, or is nil.
local function read(arg, name, schema)
  local context = { arg = arg, name = name, known = {}, sets = {}, depth = 0, checks = name == "check", asked = {} }
  local ok, result = pcall(prepare_all, context, schema)
  if not ok then check.raise(3, result) end
  return result, (context.asked.expressions or context.asked.rules) and context.asked or nil
end

-- Copies a prepared schema, so that the copy accepts any value of each argument, any number of blocks of each type except single blocks,
-- and unknown items. This way a body that breaks the schema can still be tested by the rules. In the copy the field `fits` has the
-- argument's type.
local function loosen(prepared, known)
  local out = known[prepared]
  if out then return out end
  out = { attributes = {}, blocks = {}, partial = true }
  known[prepared] = out
  for i, a in ipairs(prepared.attributes) do out.attributes[i] = { name = a.name, kept = a.kept, rules = a.rules, fits = a.type } end
  for i, b in ipairs(prepared.blocks) do
    out.blocks[i] = { type = b.type, labels = b.labels, nesting = b.nesting, max = b.nesting == nestings.single and 1 or nil,
                      schema = b.schema and loosen(b.schema, known) }
  end
  return out
end

-- The prepared form of a schema without attributes and blocks.
local empty = { attributes = {}, blocks = {} }

return { read = read, loosen = function(prepared) return loosen(prepared, {}) end, nestings = nestings, empty = empty }
