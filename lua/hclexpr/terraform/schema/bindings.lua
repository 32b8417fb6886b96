-- Reads the TypeScript that CDK Terrain generates from a provider's schema, and turns it back into rows in the form of `terraform providers
-- schema -json`. The text is only data: it is searched for the forms that the generator writes, and nothing in it is run. Parts without a
-- known form are "open": their contents are unknown.
local bindings = {}

---@class hclexpr.bindings.Struct
---@field flags table<string, { computed: boolean, optional: boolean, required: boolean, at: table }> by Terraform's name
---@field written table<string, { block: boolean, type: string, storage: string, write_only: boolean }> the writable parts
---@field texts table<string, string> descriptions by Terraform's name
---@field options table<string, boolean> whether a property is optional, by its name in an interface

-- The forms in one file

local KINDS = { TerraformResource = "resource_schemas", TerraformDataSource = "data_source_schemas",
                TerraformEphemeralResource = "ephemeral_resource_schemas", TerraformProvider = "provider" }

local function squeezed(name) return (name:gsub("_", ""):lower()) end

-- Matches the comment before a getter: "name - computed: true, optional: false, required: false".
local FLAGS = "\n *// ([%w_-]+) %- computed: (%a+), optional: (%a+), required: (%a+)[^\n]*\n()"
-- How many characters after FLAGS are searched. The limit keeps the total time proportional to the length of the text.
local NEAR = 1000
-- The largest number of parts that are read from a package, and of rows that are made from them.
local MOST = 1000000
local FIELD, RETURNED = "^ *private _[%w$]+%?? ?= new ([%w_$.]+)%(this, \"[^\"]*\"([^)]*)%)", "\n *return ([^\n]*);"

local function add_flags(flags, body, counted)
  for name, computed, optional, required, at in body:gmatch(FLAGS) do
    counted.parts = counted.parts + 1
    if counted.parts > MOST then return end
    local near = body:sub(at, at + NEAR)
    local class, arguments = near:match(FIELD)
    flags[name] = { computed = computed == "true", optional = optional == "true", required = required == "true",
                    class = class, from_set = arguments and arguments:find "true" ~= nil, getter = not class and near:match(RETURNED) }
  end
end

local WRITTEN = "\n *\"?([%w_-]+)\"?: {\n *value: ([^\n]*),\n *isBlock: (%a+),\n *type: \"(%a+)\",\n *storageClassType: \"([%w_$]+)\""

local function add_written(written, body, counted)
  for name, value, block, type, storage in body:gmatch(WRITTEN) do
    counted.parts = counted.parts + 1
    if counted.parts > MOST then return end
    written[name] = { block = block == "true", type = type, storage = storage, write_only = value:find("markWriteOnly", 1, true) ~= nil }
  end
end

-- Records a property of an interface: whether it is optional, and its documentation, where a link contains Terraform's name.
local function add_property(made, text, name, optional)
  local key = text:match "%{@link [^%s}]*#([%w_-]+)" or name
  local before = text:sub(1, (text:find("Docs at Terraform Registry", 1, true) or #text + 1) - 1)
  before = before:gsub("\n *%* ?", "\n"):gsub("^%s+", "")
  local last = before:find "%S%s*$"
  made.options[key] = optional == "?"
  if last then made.texts[key] = before:sub(1, last) end
  made.options[squeezed(name)], made.texts[squeezed(name)] = optional == "?", made.texts[key]
end

local function add_interface(made, body, counted)
  local from = body:find("/**", 1, true)
  while from do
    local stop = body:find("*/", from, true)
    counted.parts = counted.parts + 1
    if not stop or counted.parts > MOST then return end
    local name, optional = body:match("^%*/%s*readonly ([%w_$]+)(%??):", stop)
    if name then add_property(made, body:sub(from + 3, stop - 1), name, optional) end
    from = body:find("/**", stop, true)
  end
end

local function struct_of(all, name)
  local made = all.structs[name]
  if not made then
    made = { flags = {}, written = {}, texts = {}, options = {} }
    all.structs[name] = made
  end
  return made
end

local function upper_first(name) return (name:gsub("^%l", string.upper)) end

-- Calls found(name, body) for each exported declaration that begins with `words`. A body ends at the next "}" in the first column.
local function each_part(text, words, found)
  local at = 1
  while true do
    local from, to, name = text:find("\nexport " .. words .. " ([%w_$]+)", at)
    if not from then return end
    local stop = text:find("\n}", to, true) or #text
    found(name, text:sub(to + 1, stop))
    at = stop
  end
end

--- Adds the declarations of a file to those of its folder.
---@param all { structs: table<string, hclexpr.bindings.Struct>, types: table[], version?: string, source?: string }
---@param counted { parts: integer, rows: integer } counts of the package
---@param text string
function bindings.read(all, counted, text)
  text = "\n" .. text
  each_part(text, "interface", function(name, body) add_interface(struct_of(all, name), body, counted) end)
  each_part(text, "function", function(name, body)
    local of = name:match "^(.*)ToHclTerraform$"
    if of then add_written(struct_of(all, upper_first(of)).written, body, counted) end
  end)
  each_part(text, "class", function(name, body)
    local base = body:match "^ extends cdkt%a%.(%w+)" or ""
    local kind = KINDS[base]
    if kind then
      local made = struct_of(all, name .. "Config")
      add_flags(made.flags, body, counted)
      add_written(made.written, body:match "synthesizeHclAttributes(.*)$" or "", counted)
      local type = body:match "terraformResourceType: ['\"]([%w_-]+)['\"]"
      if type then all.types[#all.types + 1] = { kind = kind, type = type, struct = made } end
      all.version = all.version or body:match "providerVersion: '([^'\n]*)'"
    elseif base == "ComplexObject" then
      add_flags(struct_of(all, name:match "^(.*)OutputReference$" or name).flags, body, counted)
    end
  end)
  all.source = all.source or text:match "\n// https?://registry%.terraform%.io/providers/([%w_-]+/[%w_-]+)/[^\n]*/docs"
end

-- Rows

local DEEPEST, MOST_ROWS = 40, 200000 -- limits for each type
local nestings = { list = "list", set = "set", map = "map", struct = "single" }
local primitives = { string = "string", number = "number", boolean = "bool", any = "dynamic" }
local suffixes = { List = "list", Map = "map", Set = "set" }

-- Returns the type that a name such as "stringListList" means; nil for other names. `outer` is its outermost kind, if that is known from
-- elsewhere.
local function type_of_storage(storage, outer)
  local base, rest = storage:match "^(%l+)(.*)$"
  local type = primitives[base or ""]
  if not type then return nil end
  -- Schemas don't have collections of `any`: such an attribute is itself of the type `any`.
  if type == "dynamic" then return type end
  local kinds = {}
  for word in rest:gmatch "%u%l+" do
    if not suffixes[word] then return nil end
    kinds[#kinds + 1] = suffixes[word]
  end
  if nestings[outer] and outer ~= "struct" and kinds[1] then kinds[#kinds] = outer end
  for _, kind in ipairs(kinds) do type = { kind, type } end
  return type
end

-- Types of computed attributes, by the getters that return them
local getters = {
  { "%.getStringAttribute%(", "string" }, { "%.getNumberAttribute%(", "number" }, { "%.getBooleanAttribute%(", "bool" },
  { "tolist%(this%.getListAttribute%(", { "set", "string" } }, { "tolist%(this%.getNumberListAttribute%(", { "set", "number" } },
  { "%.getListAttribute%(", { "list", "string" } }, { "%.getNumberListAttribute%(", { "list", "number" } },
  { "%.getStringMapAttribute%(", { "map", "string" } }, { "%.getNumberMapAttribute%(", { "map", "number" } },
  { "%.getBooleanMapAttribute%(", { "map", "bool" } },
}

local function type_of_getter(getter)
  for _, row in ipairs(getters) do
    if getter and getter:find(row[1]) then return row[2] end
  end
end

-- Returns the type that a class of the generator's library means, such as "cdktn.StringMapList"; nil for other classes.
local function type_of_class(flag)
  local name = flag.class and flag.class:match "^cdkt%a%.(.*)$"
  if not name then return nil end
  local last = name:match "(%u%l+)$"
  return type_of_storage(name:gsub("^%u", string.lower), last == "List" and (flag.from_set and "set" or "list") or nil)
end

-- Returns the struct that an attribute is made from, its nesting, and whether at most one is allowed; nil if the attribute isn't made from
-- a struct.
local function nested_in(all, flag, write)
  local class = flag and flag.class and flag.class:match "[%w_$]+$" or write and write.storage
  if not class or class == "any" or type_of_storage(class) then return nil end
  local name, ending = class, nil
  for _, word in ipairs { "OutputReference", "List", "Map" } do
    local base = class:match("^(.*)" .. word .. "$")
    if base and all.structs[base] then
      name, ending = base, word
      break
    end
  end
  local struct = all.structs[name]
  if not struct then return nil end
  if write then return struct, nestings[write.type], ending == "OutputReference" and (write.type == "list" or write.type == "set") end
  if ending == "List" then return struct, flag.from_set and "set" or "list" end
  return struct, ending == "Map" and "map" or "single"
end

local object_rows

-- Returns the type of an object whose attributes have these rows, or of a collection of such objects if `nesting` isn't "single".
local as_type
function as_type(rows, nesting)
  local types = {}
  for name, row in pairs(rows) do
    local nested = row.nested_type
    types[name] = nested and as_type(nested.attributes, nested.nesting_mode) or row.type
  end
  local object = { "object", types }
  return nesting ~= "single" and { nesting, object } or object
end

local function block_row(inner, nesting, flag, one)
  local needed = flag.required and (nesting == "list" or nesting == "set")
  return { nesting_mode = nesting, block = inner, min_items = needed and 1 or nil, max_items = one and 1 or nil }
end

local function attribute_row(flag, text)
  return { computed = flag.computed or nil, optional = flag.optional or nil, required = flag.required or nil, description = text }
end

local function all_alike(inner, flag)
  for _, row in pairs(inner.attributes) do
    if (row.computed or false) ~= flag.computed or (row.optional or false) ~= flag.optional or (row.required or false) ~= flag.required then
      return false
    end
  end
  return true
end

-- Adds an attribute or block to a block. `run` is the state of bindings.row.
local function add(run, block, struct, name, flag)
  local write = struct.written[name]
  local text = struct.texts[name] or struct.texts[squeezed(name)]
  local is_block = text == name .. " block"
  local row = attribute_row(flag, not is_block and text or nil)
  run.rows = run.rows + 1
  row.write_only = write and write.write_only or nil
  local of, nesting, one = nested_in(run.all, flag, write)
  local inner = of and nesting and object_rows(run, of)
  if inner and is_block then
    block.block_types[name] = block_row(inner, nesting, flag, one)
  elseif inner and next(inner.block_types) == nil then
    -- Old providers only have attributes with a type, and an attribute that is only computed looks the same in both forms. If all its parts
    -- are as optional and computed as the attribute itself, the attribute may either have such a type, so that it can be written as blocks,
    -- or be a nested one, so that its parts can be left out.
    row.loose = not run.old and (row.optional or row.required) and all_alike(inner, flag) or nil
    if run.old or row.loose or not (row.optional or row.required) then row.type = as_type(inner.attributes, nesting)
    else row.nested_type = { nesting_mode = nesting, attributes = inner.attributes } end
    block.attributes[name] = row
  else
    row.type = write and type_of_storage(write.storage, write.type) or type_of_class(flag) or type_of_getter(flag.getter)
    if not row.type or row.type == "dynamic" and is_block then row.type, row.open = "dynamic", true end
    block.attributes[name] = row
  end
end

-- Makes the block that a struct describes; returns nil if the struct contains itself or is nested too deeply, or if the type has too many
-- rows.
function object_rows(run, struct)
  if run.within[struct] or run.depth > DEEPEST or run.rows > MOST_ROWS then return nil end
  local block = { attributes = {}, block_types = {} }
  run.within[struct], run.depth = true, run.depth + 1
  for name, flag in pairs(struct.flags) do add(run, block, struct, name, flag) end
  if next(struct.flags) == nil then
    -- The configuration of a provider has only writable parts.
    for name in pairs(struct.written) do
      local optional = struct.options[name]
      if optional == nil then optional = struct.options[squeezed(name)] end
      add(run, block, struct, name, { optional = optional ~= false, required = optional == false, computed = false })
    end
  end
  run.within[struct], run.depth = nil, run.depth - 1
  return block
end

--- Makes the row of a type; returns nil if the row or the whole package is too large.
---@param all table
---@param counted { parts: integer, rows: integer } counts of the package
---@param of { kind: string, type: string, struct: hclexpr.bindings.Struct }
---@return table?
function bindings.row(all, counted, of)
  local id = of.struct.flags.id
  if counted.rows > MOST then return nil end
  local run = { all = all, rows = 0, depth = 0, within = {}, old = id and id.computed and id.optional }
  local block = object_rows(run, of.struct)
  counted.rows = counted.rows + run.rows
  if run.rows > MOST_ROWS or counted.rows > MOST then return nil end
  -- The generator's library adds this meta-argument to the configuration of a provider.
  if of.kind == "provider" then block.attributes.alias = nil end
  return { block = block, version = 0 }
end

return bindings
