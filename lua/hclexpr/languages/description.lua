-- Descriptions of languages, checked and compiled. A mistake raises an error with its path, so a Description needs no further checks. The
-- engine, the editor and the documentation read the same object.
--
-- `description.of(lang)` returns the Description of a language, or nil for anything else. All tables are read-only. Fields have the
-- names that the author uses for the same thing. Lists are in alphabetical order, unless their annotations say otherwise.
local advice = require "hclexpr.advice"
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local addresses = require "hclexpr.languages.addresses"
local expressions = require "hclexpr.languages.expressions"
local rules = require "hclexpr.body.rules"
local sorted = require("hclexpr.util").sorted
local typecheck = require "hclexpr.typecheck"

---@class hclexpr.languages.Description
---@field name string
---@field description? string
---@field files string[] patterns of the base names of its files; `*` is any text
---@field unit "file"|"folder" the files that are evaluated together
---@field names table<string, hclexpr.Value> the names that the program provides, as unknown values of their types
---@field functions table<string, hclexpr.languages.Signature> as the author wrote them
---@field stubs table<string, hclexpr.Function> Functions with the same signatures, for the scopes of checks, which call no function
---@field stdlib? boolean|string[] as hcl.scope has it
---@field level hclexpr.languages.Level the content of a file
---@field heads table<string, hclexpr.languages.Kind[]> the kinds with an address, by the address's first word
---@field source table what the author wrote

---@class hclexpr.languages.Signature hcl.func's options, without `impl`
---@field params hclexpr.Parameter[]
---@field variadic? hclexpr.Parameter
---@field returns? hclexpr.Type|string
---@field values? boolean
---@field summary? string
---@field description? string
---@field example? string

---@class hclexpr.languages.Level the possible content of a body
---@field arguments table<string, hclexpr.languages.Argument>
---@field kinds table<string, hclexpr.languages.Kind> the blocks, by their type
---@field argument_list hclexpr.languages.Argument[]
---@field kind_list hclexpr.languages.Kind[]

---@class hclexpr.languages.Kind a kind of blocks
---@field type string
---@field description? string
---@field labels string[]
---@field label_at table<string, integer> the positions of labels by name
---@field nesting "list"|"set"|"map"|"single"
---@field min? integer
---@field max? integer
---@field address? hclexpr.languages.Address only of kinds at the top
---@field duplicates "error"|"last"
---@field for_each boolean
---@field validation { condition: hclexpr.Expression, error_message: hclexpr.Expression }[]
---@field level hclexpr.languages.Level of its body; a kind may contain itself, and then so does this table
---@field declares? "locals"|"variables" made by language.locals() or language.variables(), whose content the engine knows
---@field path string its place in the description: "blocks.upstream"

---@class hclexpr.languages.Argument
---@field name string
---@field description? string
---@field type? hclexpr.Type nil: any value, a reference, or kept
---@field required boolean
---@field default? hclexpr.Value
---@field default_data? string|number|boolean the default as Lua data, if no Value is needed
---@field plain? "string"|"number"|"bool"|"any" Lua data of this type need no conversion and no check; nil: all data need one
---@field kept boolean type = "expression": the program gets the Attribute
---@field returns? hclexpr.Type of a kept expression
---@field types? table<string, hclexpr.Value> the names that a kept expression gets when it is evaluated, as unknown values of their types
---@field ref? hclexpr.languages.Kind[] it is the address of a block of one of these kinds
---@field refs? hclexpr.languages.Kind[] it is a list of such addresses
---@field cycles boolean for ref and refs: blocks of a kind may refer to each other in a cycle
---@field default_from? hclexpr.Expression
---@field value_from? hclexpr.Expression its value; a file can't set it
---@field deprecated? string|true
---@field rules? hclexpr.Rule[]
---@field one_of? any[]
---@field min? number
---@field max? number
---@field pattern? string
---@field path string

local description = {}

local checked = setmetatable({}, { __mode = "k" }) -- Descriptions by language

-- The deepest nesting of a description. A kind that contains itself is one table, and is read once.
local DEEPEST = 100

local nestings = { list = true, set = true, map = true, single = true }

-- The Lua types of fields; "any": checked by the code that reads it.
local known = {
  language = { name = "string", description = "string", files = "table", unit = "string", types = "table", functions = "table",
               stdlib = "any", attributes = "table", blocks = "table" },
  ["function"] = { params = "table", variadic = "table", returns = "any", values = "boolean", summary = "string", description = "string",
                   example = "string" },
  parameter = { name = "string", type = "any", null = "boolean", unknown = "boolean", dynamic = "boolean", marked = "boolean",
                description = "string" },
  block = { labels = "table", nesting = "string", min = "number", max = "number", attributes = "table", blocks = "table", schema = "table",
            description = "string", address = "string", duplicates = "string", for_each = "boolean", validation = "table" },
  schema = { attributes = "table", blocks = "table" },
  argument = { type = "any", required = "boolean", default = "any", returns = "any", description = "string", one_of = "table",
               min = "any", max = "any", pattern = "string", check = "function", ref = "any", refs = "any", cycles = "boolean",
               default_from = "string", value_from = "string", types = "table", deprecated = "any" },
  rule = { condition = "string", error_message = "string" },
}

-- Fields that are rejected because a later version may give them a meaning.
local reserved = {
  computed = true, matrix = true, merge = true, inherits = true, partial = true, count = true, version = true,
}

-- Names that every expression has, and keywords, which can't be names.
local own = { self = true, parent = true, each = true, ["true"] = true, ["false"] = true, ["null"] = true }

---@class hclexpr.languages.Reading
---@field out hclexpr.languages.Description
---@field known table<table, hclexpr.languages.Level> by what the author wrote
---@field later fun()[] checks that need all kinds
---@field owners table<hclexpr.languages.Level, hclexpr.languages.Kind[]> by level: the kinds of blocks whose bodies it describes
---@field around table<hclexpr.languages.Kind, hclexpr.languages.Level> by kind: the level that contains it
---@field depth integer

-- Raises an error about a path of the description.
local function fail(path, message, ...)
  error(string.format("%s: %s", path == "" and "language" or "language." .. path, string.format(message, ...)), 0)
end

-- Fields that are arrays of texts.
local arrays = { labels = true, files = true, one_of = true }

-- Returns "; " and what to write in place of a value of the wrong kind; "" if it isn't clear what was meant.
local function instead(what, key, value)
  if type(value) == "string" and arrays[key] then return ("; write %s = { %q }"):format(key, value) end
  if type(value) == "string" and what == "parameter" and not key then return ("; write { name = %q }"):format(value) end
  if type(value) ~= "function" then return "" end
  if what == "function" then return "; the program gives what it does by the option 'functions' of lang:load" end
  return what == "block" and "; language.locals() and language.variables() are calls" or ""
end

local function check_table(path, what, t)
  if type(t) ~= "table" then fail(path, "a table expected, got %s%s", type(t), instead(what, nil, t)) end
end

-- Says what to do about an unknown field.
local function unknown_field(what, key, value)
  if what == "function" and key == "impl" then return instead(what, key, value) end
  if what == "argument" and key == 1 and type(value) == "string" then return ("; write type = %q"):format(value) end
  return advice.did_you_mean(key, known[what])
end

local function check_fields(path, what, t)
  check_table(path, what, t)
  for key, value in next, t do
    local want = known[what][key]
    local at = (path == "" and "" or path .. ".") .. tostring(key)
    if not want and reserved[key] then fail(at, "this field is reserved: it will have a meaning") end
    if not want then
      local article = what:find "^[ae]" and "an" or "a"
      fail(path, "no field of %s %s is named '%s'%s", article, what, tostring(key), unknown_field(what, key, value))
    end
    if want ~= "any" and type(value) ~= want then fail(at, "a %s expected, got %s%s", want, type(value), instead(what, key, value)) end
  end
end

local function is_name(text)
  return type(text) == "string" and core.name_columns(text) ~= nil
end

local function check_name(path, name)
  if is_name(name) then return end
  if type(name) ~= "string" then fail(path, "entries are written NAME = ..., and this one has the key %s", tostring(name)) end
  fail(path, "%q can't be a name: it begins with a letter or _, and letters, digits, _ and - follow", name)
end

-- Checks an array of strings; returns a copy of the array, and the strings as a set.
local function words(path, list)
  local out, set, n = {}, {}, 0
  for _ in next, list do n = n + 1 end
  for i = 1, n do
    local word = rawget(list, i)
    if word == nil then fail(path, "an array expected, without other keys") end
    if type(word) ~= "string" then fail(path, "an array of strings expected; element %d is a %s", i, type(word)) end
    if set[word] then fail(path, "'%s' is there twice", word) end
    out[i], set[word] = word, true
  end
  if list[n + 1] ~= nil then fail(path, "an array expected, and this one's metatable gives more elements") end
  return out, set
end

local function type_of(path, t)
  local made, why = typecheck.type_of(t)
  if made then return made end
  if type(t) == "string" and t:find "^refs?%s*%(" then
    return fail(path, 'types of references are reserved: write ref = "KIND" in place of the type')
  end
  return fail(path, "%s", why)
end

-- Returns unknown values of declared types, by name. `path` is the place of the declarations in the description.
local function unknowns(path, types)
  local out = {}
  for name, t in next, types do
    check_name(path, name)
    local at = path .. "." .. name
    if own[name] then fail(at, "every expression has a name '%s' already", name) end
    out[name] = getmetatable(t) == core.classes.Value and t or core.unknown(type_of(at, t))
  end
  return out
end

-- ---- arguments ------------------------------------------------------------------------------------------------------------

-- Fields that exclude each other, and why.
local conflicts = {
  { "required", "default", "a required argument has no default" },
  { "required", "default_from", "a required argument has no default" },
  { "required", "deprecated", "what is required can't be left out, so a warning would never end" },
  { "required", "value_from", "what value_from gives is never written, so it can't be required" },
  { "default", "default_from", "give one of the two defaults" },
  { "default", "value_from", "what value_from gives is never written, so it needs no default" },
  { "default_from", "value_from", "what value_from gives is never written, so it needs no default" },
  { "ref", "refs", "an argument is one reference (ref) or several (refs)" },
}
for field in ("type default default_from value_from one_of min max pattern check returns types"):gmatch "%S+" do
  conflicts[#conflicts + 1] = { "ref", field, "a reference is a block, so this can't be said of it" }
  conflicts[#conflicts + 1] = { "refs", field, "references are blocks, so this can't be said of them" }
end

local function check_conflicts(path, a)
  for _, row in ipairs(conflicts) do
    if a[row[1]] and a[row[2]] ~= nil then fail(path .. "." .. row[2], "%s ('%s' is set, too)", row[3], row[1]) end
  end
  if a.cycles ~= nil and not (a.ref or a.refs) then fail(path .. ".cycles", "this is for references: ref or refs") end
  if a.deprecated ~= nil and a.deprecated ~= true and type(a.deprecated) ~= "string" then
    fail(path .. ".deprecated", "true or what to write instead expected, got %s", type(a.deprecated))
  end
end

local function read_kept(path, a, out)
  out.kept = true
  if a.returns ~= nil then out.returns = type_of(path .. ".returns", a.returns) end
  for _, field in ipairs { "default", "default_from", "value_from", "one_of", "min", "max", "pattern", "check" } do
    if a[field] ~= nil then fail(path .. "." .. field, "an expression that is kept has none") end
  end
  out.types = unknowns(path .. ".types", a.types or {})
  return out
end

-- Returns true if a kind of this name is inside one of a level's kinds, at any depth.
local function is_nested(level, name, seen)
  if seen[level] then return false end
  seen[level] = true
  for _, kind in ipairs(level.kind_list) do
    if kind.level.kinds[name] or is_nested(kind.level, name, seen) then return true end
  end
  return false
end

local function no_kind(path, level, name)
  if is_nested(level, name, {}) then
    fail(path, "blocks of the kind '%s' are in others, and have no address: refer to the outer block", name)
  end
  fail(path, "no kind of blocks is called '%s'%s", name, advice.did_you_mean(name, level.kinds))
end

-- Checks `cycles`: a cycle goes through blocks of one kind, so a reference with `cycles` must name its own kind.
local function check_cycles(reading, path, kinds, level)
  local outer = {}
  for _, kind in ipairs(expressions.outermost(reading, level)) do outer[kind] = true end
  for _, kind in ipairs(kinds) do
    if outer[kind] then return end
  end
  fail(path .. ".cycles", "only references to blocks of the same kind may form circles: leave this out")
end

-- Reads the kinds that a reference may name. They are looked up after all kinds are read.
local function read_ref(reading, path, field, a, out, level)
  local at = path .. "." .. field
  local named = type(a[field]) == "string" and { a[field] } or a[field]
  if type(named) ~= "table" then fail(at, "a kind of blocks, or an array of several, expected, got %s", type(named)) end
  named = words(at, named)
  if #named == 0 then fail(at, "a kind of blocks expected") end
  out[field] = {}
  reading.later[#reading.later + 1] = function()
    local top = reading.out.level
    for i, name in ipairs(named) do
      local kind = top.kinds[name] or no_kind(at, top, name)
      if not kind.address or kind.declares then
        fail(at, "blocks of the kind '%s' have no address: give it one, such as address = \"%s.{name}\"", name, name)
      end
      out[field][i] = kind
    end
    if a.cycles then check_cycles(reading, path, out[field], level) end
  end
  return out
end

local plain_types = { string = "string", number = "number", bool = "bool", any = "any" }
local kinds_of_data = { string = true, number = true, boolean = true }

-- Every Lua has all whole numbers up to this one. Larger numbers may be rounded.
local MOST_WHOLE = 2 ^ 53

-- Sets the fields `plain` and `default_data` of an argument.
local function set_plain(out)
  out.plain = not out.rules and plain_types[out.type and out.type:kind() or "any"] or nil
  local default = out.default
  local data = out.plain and default and not default:marks()[1] and default:is_known() and not default:is_null() and default:lua()
  local exact = type(data) ~= "number" or data % 1 == 0 and math.abs(data) <= MOST_WHOLE
  if kinds_of_data[type(data)] and exact then out.default_data = data end
end

local function read_value(path, a, out)
  local err
  if a.returns ~= nil then fail(path .. ".returns", 'this is for an expression that is kept: type = "expression"') end
  if a.types ~= nil then fail(path .. ".types", 'this is for an expression that is kept: type = "expression"') end
  if a.type ~= nil then out.type = type_of(path .. ".type", a.type) end
  if a.default ~= nil then
    out.default, err = core.value(a.default, out.type)
    if out.default == nil then fail(path .. ".default", "%s%s", err[1].detail, advice.of_empty(a.default, out.type)) end
    if not out.default:is_wholly_known() then fail(path .. ".default", "a default has to be known") end
  end
  if rules.has(a) then
    out.rules = rules.of(a, out.type, out.default, function(field, message) fail(path .. field, "%s", message) end)
    out.one_of, out.min, out.max, out.pattern = a.one_of, a.min, a.max, a.pattern
  end
  set_plain(out)
  return out
end

local function read_argument(reading, path, name, a, level)
  if type(a) == "string" or getmetatable(a) == core.classes.Type then a = { type = a } end
  check_name(path, name)
  check_fields(path, "argument", a)
  check_conflicts(path, a)
  local out = { name = name, description = a.description, required = a.required == true, kept = false, cycles = a.cycles == true,
                deprecated = a.deprecated or nil, path = path }
  if a.ref ~= nil then return read_ref(reading, path, "ref", a, out, level) end
  if a.refs ~= nil then return read_ref(reading, path, "refs", a, out, level) end
  if a.type == "expression" then return read_kept(path, a, out) end
  return read_value(path, a, out), a
end

-- ---- blocks ---------------------------------------------------------------------------------------------------------------

local read_level

local function count_of(path, n)
  if n and not check.is_count(n) then fail(path, "a whole number of blocks expected, not %s", tostring(n)) end
  return n
end

local function check_counts(path, kind)
  local single = kind.nesting == "single"
  if single and (kind.max or 1) > 1 then fail(path .. ".max", "a single block is at most one") end
  if kind.min and kind.max and kind.min > kind.max then
    fail(path .. ".min", "%d blocks at least, and at most %d: no number is both", kind.min, kind.max)
  end
  kind.max = kind.max or single and 1 or nil
end

local function check_labels(path, kind, is_label)
  for _, label in ipairs(kind.labels) do
    local level = kind.level
    check_name(path .. ".labels", label)
    if level.arguments[label] or level.kinds[label] then
      fail(path .. ".labels", "'%s' is the name of a label and of what the block holds", label)
    end
  end
  if kind.nesting == "map" and #kind.labels == 0 then fail(path, "a map of blocks needs labels to be found by") end
  if kind.for_each and (is_label.for_each or kind.level.arguments.for_each) then
    fail(path .. ".for_each", "a block with instances has an argument of this name")
  end
end

-- Reads the rules of a block; they are compiled after all names are known.
local function read_validation(reading, path, list, kind)
  kind.validation = {}
  local n = 0
  for _ in next, list do n = n + 1 end
  if n ~= #list then fail(path, "an array of rules expected: { { condition = ..., error_message = ... } }") end
  for i, rule in ipairs(list) do
    local at = ("%s[%d]"):format(path, i)
    check_fields(at, "rule", rule)
    for _, field in ipairs { "condition", "error_message" } do
      if not rule[field] then fail(at, "a rule has a condition and an error_message: %s is missing", field) end
    end
    reading.later[#reading.later + 1] = function()
      kind.validation[i] = expressions.rule(reading, kind, rule, function(field, ...) fail(at .. "." .. field, ...) end)
    end
  end
end

local function read_address(reading, path, b, kind, is_label, top)
  if not b.address then return end
  if not top then fail(path .. ".address", "only blocks at the top of a file have an address") end
  local why
  kind.address, why = addresses.read(b.address)
  if not kind.address then fail(path .. ".address", "%s", why) end
  local has = {}
  for _, part in ipairs(kind.address.parts) do
    if part.label and not is_label[part.label] then
      fail(path .. ".address", "the block has no label '%s'%s", part.label, advice.did_you_mean(part.label, is_label))
    end
    if part.label then has[part.label] = true end
  end
  for _, label in ipairs(kind.labels) do
    if not has[label] then
      fail(path .. ".address", "the label '%s' is missing, so two blocks could have the same address; write {%s} for it", label, label)
    end
  end
  if #kind.labels == 0 and kind.nesting ~= "single" then
    fail(path .. ".address", 'blocks without labels all have the same address: set nesting = "single"')
  end
  description.claim(reading.out, kind, function(...) fail(path .. ".address", ...) end)
end

local function choice(path, given, default, allowed)
  if given == nil then return default end
  if not allowed[given] then
    fail(path, "must be %s, not '%s'", '"' .. table.concat(sorted(allowed), '" or "') .. '"', given)
  end
  return given
end

local function read_block(reading, path, kind_name, b, top)
  check_name(path, kind_name)
  if kind_name == "dynamic" then fail(path, "this kind of blocks is the language's own") end
  check_fields(path, "block", b)
  local labels, is_label = words(path .. ".labels", b.labels or {})
  local kind = {
    type = kind_name, description = b.description, labels = labels, label_at = {}, path = path,
    nesting = choice(path .. ".nesting", b.nesting, "list", nestings),
    min = count_of(path .. ".min", b.min), max = count_of(path .. ".max", b.max), for_each = b.for_each == true,
    duplicates = choice(path .. ".duplicates", b.duplicates, "error", { error = true, last = true }),
  }
  for i, label in ipairs(labels) do kind.label_at[label] = i end
  check_counts(path, kind)
  if b.schema and (b.attributes or b.blocks) then
    fail(path .. ".schema", "what a block holds is in its schema, or in attributes and blocks: not in both")
  end
  if b.schema then check_fields(path .. ".schema", "schema", b.schema) end
  kind.level = read_level(reading, b.schema and path .. ".schema" or path, b.schema or b, false)
  table.insert(reading.owners[kind.level], kind)
  check_labels(path, kind, is_label)
  if kind.for_each and (not top or kind.nesting == "single") then
    fail(path .. ".for_each", "only blocks at the top of a file, several of a kind, have instances")
  end
  if b.duplicates and not b.address then fail(path .. ".duplicates", "only blocks with an address can be there twice") end
  read_address(reading, path, b, kind, is_label, top)
  read_validation(reading, path .. ".validation", b.validation or {}, kind)
  return kind
end

-- The labels and addresses of the kinds made by language.locals() and language.variables().
local declared = {
  locals = function(kind)
    kind.address = addresses.read "local.{name}"
  end,
  variables = function(kind)
    kind.labels, kind.address = { "name" }, addresses.read "var.{name}"
  end,
}

-- The tables that language.locals() and language.variables() returned, with what they declare. Each call returns a new table.
local marks = setmetatable({}, { __mode = "k" })

--- Makes a kind of blocks that declares values.
---@param what "locals"|"variables"
---@return hclexpr.language.Block
function description.declaration(what)
  local block = {}
  marks[block] = what
  return block
end

local function read_declaration(reading, path, name, b, top)
  local what, field = marks[b], next(b)
  if field ~= nil then fail(("%s.%s"):format(path, tostring(field)), "language.%s() says what these blocks hold: leave this out", what) end
  if not top then fail(path, "values are declared at the top of a file") end
  check_name(path, name)
  local kind = { type = name, labels = {}, path = path, nesting = "list", for_each = false, duplicates = "error", validation = {},
                 declares = what, level = { arguments = {}, kinds = {}, argument_list = {}, kind_list = {} } }
  declared[what](kind)
  description.claim(reading.out, kind, function(...) fail(path, ...) end)
  return kind
end

local function values_of(map)
  local list = {}
  for _, key in ipairs(sorted(map)) do list[#list + 1] = map[key] end
  return list
end

-- Compiles default_from and value_from after all names are known.
local function read_expressions(reading, path, a, argument, level)
  for _, field in ipairs { "default_from", "value_from" } do
    local text = a and a[field]
    if text then
      reading.later[#reading.later + 1] = function()
        local kinds = reading.owners[level]
        for i = 1, math.max(#kinds, 1) do
          argument[field] = expressions.value(reading, level, kinds[i], text, argument.type,
            function(...) fail(path .. "." .. field, ...) end)
        end
      end
    end
  end
end

local function check_keys(path, t)
  for key in next, t or {} do
    if type(key) ~= "string" then check_name(path, key) end
  end
end

function read_level(reading, path, source, top)
  if reading.known[source] then return reading.known[source] end
  local level = { arguments = {}, kinds = {} }
  reading.known[source], reading.owners[level] = level, {}
  reading.depth = reading.depth + 1
  if reading.depth > DEEPEST then fail(path, "nested more than %d levels deep: a kind that repeats itself may hold itself", DEEPEST) end
  local prefix = path == "" and "" or path .. "."
  check_keys(prefix .. "attributes", source.attributes)
  check_keys(prefix .. "blocks", source.blocks)
  for _, name in ipairs(sorted(source.attributes or {})) do
    local at = prefix .. "attributes." .. name
    local argument, a = read_argument(reading, at, name, source.attributes[name], level)
    level.arguments[name] = argument
    read_expressions(reading, at, a, argument, level)
  end
  for _, name in ipairs(sorted(source.blocks or {})) do
    local at, b = prefix .. "blocks." .. name, source.blocks[name]
    if level.arguments[name] then fail(at, "this is the name of an argument, too") end
    local kind = marks[b] and read_declaration(reading, at, name, b, top) or read_block(reading, at, name, b, top)
    level.kinds[name], reading.around[kind] = kind, level
  end
  level.argument_list, level.kind_list = values_of(level.arguments), values_of(level.kinds)
  reading.depth = reading.depth - 1
  return level
end

-- ---- languages ------------------------------------------------------------------------------------------------------------

--- Registers the address of a kind. Fails if a block of another kind could have the same address, or if its first word is taken.
---@param out hclexpr.languages.Description
---@param kind hclexpr.languages.Kind
---@param refuse fun(message: string, ...: any)
function description.claim(out, kind, refuse)
  local head = kind.address.root
  if own[head] then refuse("every expression has a name '%s' already", head) end
  if out.names[head] then refuse("'%s' is one of the names that the program gives (types)", head) end
  out.heads[head] = out.heads[head] or {}
  for _, other in ipairs(out.heads[head]) do
    if addresses.clash(kind.address, other.address) then
      refuse("'%s' can be the address of a block of the kind '%s', too (%s)", kind.address.text, other.type, other.address.text)
    end
  end
  table.insert(out.heads[head], kind)
end

local function read_functions(out, functions)
  for _, name in ipairs(sorted(functions)) do
    local path = "functions." .. name
    if not core.is_function_name(name) then fail(path, "%q can't be the name of a function", name) end
    check_fields(path, "function", functions[name])
    for i, parameter in ipairs(functions[name].params or {}) do check_fields(("%s.params[%d]"):format(path, i), "parameter", parameter) end
    if functions[name].variadic then check_fields(path .. ".variadic", "parameter", functions[name].variadic) end
    local options = {}
    for key, value in next, functions[name] do options[key] = value end
    options.impl = function() end
    local fine, made = pcall(core.func, options)
    if not fine then fail(path, "%s", (tostring(made):gsub("^bad argument #1 to '[^']*' %((.*)%)$", "%1"))) end
    out.functions[name], out.stubs[name] = functions[name], made
  end
end

-- Ends of the names of Terraform's own files, which no other language may claim.
local terraform = { "%.tf$", "%.tofu$", "%.tfvars$", "%.tf%w+%.hcl$", "%.tofu%w+%.hcl$", "%.terraform%.lock%.hcl$" }

local function is_terraform(name)
  for _, ending in ipairs(terraform) do
    if name:gsub("%.json$", ""):find(ending) then return true end
  end
  return false
end

local function read_files(out, files)
  out.files = words("files", files)
  for _, pattern in ipairs(out.files) do
    if pattern == "" or pattern:find "[/\\]" then
      fail("files", "%q isn't the pattern of a file's name: '*' is any text, and folders aren't looked at", pattern)
    end
    if pattern:find "[?%[%]{}]" then
      fail("files", "%q: only '*' has a meaning in a pattern; write several patterns in its place", pattern)
    end
    if is_terraform(pattern) then fail("files", "%q would claim files of Terraform", pattern) end
  end
end

--- Returns how well a file's name suits a language: the length, without `*`, of the longest pattern that it matches; nil if it matches
--- none, or if it is the name of one of Terraform's files. If several languages match, the file belongs to the one with the largest number.
---@param out hclexpr.languages.Description
---@param path string
---@return integer?
function description.suits(out, path)
  local base, best = path:match "[^/\\]*$", nil
  if is_terraform(base) then return nil end
  for _, pattern in ipairs(out.files) do
    local lua = "^" .. pattern:gsub("[^%w*]", "%%%0"):gsub("%*", ".*") .. "$"
    local size = #pattern:gsub("%*", "")
    if base:find(lua) and size > (best or -1) then best = size end
  end
  return best
end

local function read_stdlib(stdlib)
  if stdlib == nil then return end
  local fine, why = pcall(core.scope, { stdlib = stdlib })
  if not fine then fail("stdlib", "%s", (tostring(why):gsub("^bad argument #1 to '[^']*' %((.*)%)$", "%1"))) end
end

local function read_language(source)
  local out = { names = {}, functions = {}, stubs = {}, heads = {}, source = source }
  check_fields("", "language", source)
  if source.name == nil or source.name == "" then fail("name", "a language has a name") end
  out.name, out.description, out.stdlib = source.name, source.description, source.stdlib
  out.unit = choice("unit", source.unit, "file", { file = true, folder = true })
  read_files(out, source.files or {})
  out.names = unknowns("types", source.types or {})
  check_keys("functions", source.functions)
  read_functions(out, source.functions or {})
  read_stdlib(source.stdlib)
  local reading = { out = out, known = {}, later = {}, owners = {}, around = {}, depth = 0 }
  out.level = read_level(reading, "", source, true)
  for _, work in ipairs(reading.later) do work() end
  for level in next, reading.owners do expressions.check_circles(level, fail) end
  expressions.names_of_kept(out, fail)
  return out
end

--- Reads a description. A mistake raises an error at the level of the caller of the public function.
---@param lang table the language
---@param source table
---@param name string the name of the public function
function description.read(lang, source, name)
  local fine, out = pcall(read_language, source)
  if not fine then check.raise(3, ("bad argument #1 to '%s' (%s)"):format(name, out)) end
  checked[lang] = out
end

--- Returns the Description of a language; nil if `lang` isn't a language.
---@param lang any
---@return hclexpr.languages.Description?
function description.of(lang)
  return checked[lang]
end

return description
