-- Prepares schemas: adds types and schemas for the core to a `block` of a schema file. Each block is prepared once.
local core = require "hclexpr.core"
local sorted = require("hclexpr.util").sorted
local typed_values = require "hclexpr.terraform.schema.typed_values"

local prepared_schemas = {}

---@class hclexpr.module.Prepared
---@field attributes table<string, hclexpr.module.Wanted>
---@field blocks table<string, hclexpr.module.Wanted>
---@field names string[] the names of the attributes, in the order of evaluation; `types`: those of the blocks
---@field flat table a schema for core.level; `base` for a body that override files change, `override` for the bodies in these files
---@field deep table the flat schema with those of all nested levels; likewise `base_deep` and `override_deep`
---@field type hclexpr.Type the type of the object
---@field json table that type in the form of JSON
---@field plain boolean nothing in it is computed, sensitive or write-only, so the planned object is the configuration
---@field deprecated? boolean something in it is deprecated
---@field computed? boolean one of its own attributes is computed
---@field old? boolean the schema of an old provider: it has an `id` that is optional and computed
---@field either? boolean it, or a block in it, has attributes that may also be written as blocks

---@class hclexpr.module.Wanted
---@field type hclexpr.Type
---@field constraint? hclexpr.Type the type with optional parts, if it has any
---@field json any the type in the form of JSON
---@field row table its row in the schema
---@field nesting? string for blocks and for attributes with nested attributes
---@field inner? hclexpr.module.Prepared likewise
---@field null? hclexpr.Value the null of the type, cached on first use; likewise `unknown`

local nested_kinds = { list = "list", set = "set", map = "map" }

local function nested_json(nesting, inner)
  local kind = nested_kinds[nesting]
  return kind and { kind, inner } or inner
end

local function nested_type(nesting, inner)
  local kind = nested_kinds[nesting]
  return kind and core.type_of_parts(kind, { inner }) or inner
end

-- Returns the type constraint of nested attributes. Attributes that aren't required are optional in it.
local function constraint_text(inner, nesting)
  local parts = {}
  for name, wanted in pairs(inner.attributes) do
    local text = wanted.inner and constraint_text(wanted.inner, wanted.nesting) or tostring(wanted.type)
    parts[#parts + 1] = name .. " = " .. (wanted.row.required and text or "optional(" .. text .. ")")
  end
  local object, kind = "object({" .. table.concat(parts, ", ") .. "})", nested_kinds[nesting]
  return kind and kind .. "(" .. object .. ")" or object
end

-- Returns the constraint of a type where all attributes of objects are optional.
local function loose_text(json)
  if type(json) ~= "table" then return json == "dynamic" and "any" or json end
  if json[1] ~= "object" then return json[1] .. "(" .. loose_text(json[2]) .. ")" end
  local parts = {}
  for name, of in pairs(json[2]) do parts[#parts + 1] = name .. " = optional(" .. loose_text(of) .. ")" end
  return "object({" .. table.concat(parts, ", ") .. "})"
end

local function prepare_attribute(row)
  local nested = row.nested_type
  if type(nested) ~= "table" then
    return { row = row, type = typed_values.type(row.type), json = row.type, constraint = row.loose and core.type(loose_text(row.type)) }
  end
  local inner = prepared_schemas.of(nested)
  local json = nested_json(nested.nesting_mode, inner.json)
  return { row = row, type = nested_type(nested.nesting_mode, inner.type), json = json, nesting = nested.nesting_mode, inner = inner,
           constraint = core.type(constraint_text(inner, nested.nesting_mode)) }
end

local function prepare_block(row, inner)
  ---@type table|string
  local json = nested_json(row.nesting_mode, inner.json)
  local type = nested_type(row.nesting_mode, inner.type)
  -- A list of objects with `any` inside becomes a tuple when its values are known.
  if nested_kinds[row.nesting_mode] and core.type_has_any(type) then type, json = typed_values.type "dynamic", "dynamic" end
  local of_block = { computed = row.computed, sensitive = row.sensitive, deprecated = row.block and row.block.deprecated,
                     min_items = row.min_items, max_items = row.max_items }
  return { row = of_block, type = type, json = json, nesting = row.nesting_mode, inner = inner }
end

local collections, primitives = { list = true, set = true, map = true }, { string = true, number = true, bool = true }

-- Returns true if an attribute shows that the provider is modern, so that its attributes can't be written as blocks. Old providers lack
-- nested attributes, objects, tuples and maps of objects, and their collections of collections contain only strings, numbers and bools.
local function is_modern(row)
  local json = row.type
  if type(json) ~= "table" or row.nested_type ~= nil then return row.nested_type ~= nil end
  local outer, inner = json[1], json[2]
  if outer == "object" or outer == "tuple" then return true end
  if type(inner) ~= "table" then return false end
  return outer == "map" and inner[1] == "object" or collections[outer] and collections[inner[1]] and not primitives[inner[2]]
end

-- Returns the attributes in a list or set of objects, which may be written as blocks for old providers; nil for any other attribute.
local function object_of(row)
  local json = row.type
  local inner = type(json) == "table" and (json[1] == "list" or json[1] == "set") and json[2]
  if type(inner) == "table" and inner[1] == "object" and type(inner[2]) == "table" then return inner[2] end
end

-- Returns a list of attributes for core.schema.
local function attributes_of(made, required)
  local list = {}
  for i, name in ipairs(made.names) do list[i] = { name = name, required = required and made.attributes[name].row.required or nil } end
  return list
end

local function blocks_of(made, deep)
  local list = {}
  for i, name in ipairs(made.types) do
    local wanted = made.blocks[name]
    list[i] = { type = name, labels = wanted.nesting == "map" and { "key" } or {}, nesting = 0, schema = deep and wanted.inner.deep or nil }
  end
  return list
end

local ways = {
  flat = function(made) return { attributes = attributes_of(made, true), blocks = blocks_of(made, false) } end,
  deep = function(made) return { attributes = made.flat.attributes, blocks = blocks_of(made, true) } end,
  base = function(made) return { attributes = made.flat.attributes, blocks = made.flat.blocks, partial = true } end,
  base_deep = function(made) return { attributes = made.flat.attributes, blocks = made.deep.blocks, partial = true } end,
  override = function(made) return { attributes = attributes_of(made, false), blocks = made.flat.blocks, partial = true } end,
  override_deep = function(made) return { attributes = made.override.attributes, blocks = made.deep.blocks, partial = true } end,
}

local Prepared = { __index = function(made, name)
  local way = ways[name]
  if not way then return nil end
  local found = way(made)
  made[name] = found
  return found
end }

-- Makes a Prepared from its attributes and blocks, which are Wanteds by name.
local function make(attributes, blocks)
  local names, types, json, parts = sorted(attributes), sorted(blocks), {}, {}
  local plain, deprecated, either, modern, computed = true, false, false, false, false

  local function add(name, wanted)
    local row, inner = wanted.row, wanted.inner
    json[name], parts[name] = wanted.json, wanted.type
    deprecated = deprecated or row.deprecated or inner and inner.deprecated
    plain = plain and not (row.computed or row.sensitive or row.guarded or row.write_only) and (not inner or inner.plain)
  end

  for name, wanted in pairs(attributes) do
    local row = wanted.row
    either, modern, computed = either or object_of(row) ~= nil, modern or is_modern(row), computed or row.computed
    add(name, wanted)
  end
  for name, wanted in pairs(blocks) do
    local inner = wanted.inner
    either, modern = either or inner.either, modern or inner.modern
    add(name, wanted)
  end
  local id = attributes.id and attributes.id.row
  return setmetatable({ attributes = attributes, blocks = blocks, names = names, types = types, type = core.type_of_parts("object", parts),
                        json = { "object", json }, plain = plain, deprecated = deprecated, computed = computed, modern = modern,
                        either = either and not modern, old = id and id.optional and id.computed or false }, Prepared)
end

local nestings = { single = true, group = true, list = true, set = true, map = true }

local NOTHING = {}

-- A schema may contain anything. With these functions, parts of the wrong form are ignored.
local function table_of(x) return type(x) == "table" and x or NOTHING end
local function is_row(name, row) return type(name) == "string" and type(row) == "table" end

local prepared_of = setmetatable({}, { __mode = "k" })

--- Prepares the block of a schema, or the nested attributes of an attribute.
---@param block table
---@return hclexpr.module.Prepared
function prepared_schemas.of(block)
  local made = prepared_of[block]
  if made then return made end
  local attributes, blocks = {}, {}
  for name, row in pairs(table_of(block.attributes)) do
    if is_row(name, row) then attributes[name] = prepare_attribute(row) end
  end
  for name, row in pairs(table_of(block.block_types)) do
    if is_row(name, row) and nestings[row.nesting_mode] and type(row.block) == "table" then
      blocks[name] = prepare_block(row, prepared_schemas.of(row.block))
    end
  end
  made = make(attributes, blocks)
  prepared_of[block] = made
  return made
end

--- Returns the null of an attribute's type. All instances share this Value, because most of them leave out most attributes.
---@param wanted hclexpr.module.Wanted
---@return hclexpr.Value
function prepared_schemas.null(wanted)
  wanted.null = wanted.null or core.value(core.null, wanted.type)
  return wanted.null
end

--- Returns the unknown value of an attribute's type. All instances share it.
---@param wanted hclexpr.module.Wanted
---@return hclexpr.Value
function prepared_schemas.unknown(wanted)
  wanted.unknown = wanted.unknown or core.unknown(wanted.type)
  return wanted.unknown
end

--- Returns true if values of a kind must be converted to a schema's type. Values of the same primitive type needn't be converted. (A
--- conversion allocates a Value, which costs 6,000 of the 40,000 instructions for an argument.)
---@param wanted hclexpr.module.Wanted
---@param kind string
---@return boolean
function prepared_schemas.converts(wanted, kind)
  return wanted.json ~= kind or not typed_values.is_primitive(kind)
end

-- Attributes written as blocks

-- Returns the block type for an attribute that is written as blocks. All its arguments are optional.
local function as_block(row)
  local rows = {}
  for name, json in pairs(object_of(row)) do rows[name] = { type = json, optional = true } end
  return prepare_block({ nesting_mode = row.type[1] }, prepared_schemas.of { attributes = rows })
end

-- Collects the bodies of the blocks in a body by their types, including the content of `dynamic` blocks.
local function collect(body, found)
  for _, block in ipairs(body.blocks) do
    if block.type == "dynamic" and block.labels[1] then
      found[block.labels[1]] = found[block.labels[1]] or {}
      for _, content in ipairs(block.body.blocks) do table.insert(found[block.labels[1]], content.body) end
    else
      found[block.type] = found[block.type] or {}
      table.insert(found[block.type], block.body)
    end
  end
end

-- Returns true if one of the bodies has an argument with a name.
local function is_argument(list, name)
  for _, body in ipairs(list) do
    if body.attributes[name] then return true end
  end
  return false
end

--- Returns the schema for bodies as they are written: attributes that the bodies write as blocks become blocks.
---@param made hclexpr.module.Prepared
---@param list hclexpr.Body[]
---@return hclexpr.module.Prepared
function prepared_schemas.as_written(made, list)
  if not made.either then return made end
  local found, attributes, blocks, changed = {}, {}, {}, false
  for _, body in ipairs(list) do
    if not core.needs_schema(body) then collect(body, found) end
  end
  for name, wanted in pairs(made.attributes) do
    if found[name] and object_of(wanted.row) and not is_argument(list, name) then
      blocks[name], changed = as_block(wanted.row), true
    else
      attributes[name] = wanted
    end
  end
  for name, wanted in pairs(made.blocks) do blocks[name] = wanted end
  for name, wanted in pairs(blocks) do
    local inner = found[name] and prepared_schemas.as_written(wanted.inner, found[name]) or wanted.inner
    if inner ~= wanted.inner then blocks[name], changed = prepare_block({ nesting_mode = wanted.nesting }, inner), true end
  end
  return changed and make(attributes, blocks) or made
end

--- Collects the ranges in a body that the schema doesn't name and that are therefore ignored. In JSON syntax it checks only the first
--- level, because further down only the schema could say what is a block.
---@param body hclexpr.Body
---@param made hclexpr.module.Prepared
---@param found hclexpr.Range[]
function prepared_schemas.unnamed(body, made, found)
  local is_json = core.needs_schema(body)
  for name, attribute in pairs(body.attributes) do
    if not (made.attributes[name] or is_json and (made.blocks[name] or name == "dynamic")) then found[#found + 1] = attribute.range end
  end
  for _, block in ipairs(body.blocks) do
    local is_dynamic = block.type == "dynamic"
    local wanted = made.blocks[is_dynamic and block.labels[1] or block.type]
    -- The for_each of a `dynamic` block is used even if the schema lacks the generated type.
    for _, inner in ipairs(is_dynamic and block.body.blocks or { block }) do
      if wanted then prepared_schemas.unnamed(inner.body, wanted.inner, found) else found[#found + 1] = inner.range end
    end
  end
end

return prepared_schemas
