-- The kinds of blocks in a specification, called specs: how each is read, what it expects of a body, and how it makes a value.
local clause = require("hclexpr.findings").clause
local core = require "hclexpr.core"
local certain = require("hclexpr.check").certain
local decoder = require "hclexpr.spec.decoder"
local functions = require "hclexpr.spec.functions"
local levels = require "hclexpr.spec.levels"
local places = require "hclexpr.places"

---@class hclexpr.spec.Kind
---@field name? string the key in `kinds`, set at the end of this file
---@field arguments? table<string, string> how each argument is read: a field of `reads` in reader.lua
---@field needed? string[] required arguments
---@field selector? string the argument that names a part of the body; its default is the label of the spec in an object
---@field nested "none"|"one"|"some"|"any"|"named"|"body" which specs it contains, for the same body: "some" at least one, "named" each with a
--- label; "body" is one spec for the bodies of the blocks that this spec looks for
---@field inside_block? boolean true: the kind is only for specs of a block's body
---@field expect? fun(node: hclexpr.spec.Node, schema: table) adds to a schema what the spec expects of a body
---@field check? fun(node: hclexpr.spec.Node, report: fun(text: string)) reports what is wrong with the spec itself
---@field type fun(node: hclexpr.spec.Node): hclexpr.Type returns the type of the value; any where it depends on the input
---@field decode fun(node: hclexpr.spec.Node, at: hclexpr.spec.Level): hclexpr.Value? makes the value; nil after reporting a mistake
---@field place fun(node: hclexpr.spec.Node, at: hclexpr.spec.Level): hclexpr.findings.Place? returns the place where the value comes from
---@field uses? fun(node: hclexpr.spec.Node, at: hclexpr.spec.Level, found: hclexpr.Attribute[]) adds the attributes that the spec evaluates

---@class hclexpr.spec.Node a spec as read; its arguments are fields as well
---@field kind hclexpr.spec.Kind
---@field items hclexpr.spec.Node[] specs inside it, for the same body
---@field names? string[] the labels of `items`
---@field body? hclexpr.spec.Node the spec for the bodies of blocks
---@field place hclexpr.findings.Place the place of the spec itself

---@type table<string, hclexpr.spec.Kind>
local kinds = {}

-- Caches for values that are needed for each block: by Type, the type of its null; by node, its Type.
local plain_types, node_types = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })

-- Returns a result that can only be missing for lack of memory; raises an error in that case, as Lua does.
local function sure(value, err)
  if value == nil then error(tostring(err), 0) end
  return value
end

local function null_of(type)
  plain_types[type] = plain_types[type] or core.type_of_parts("plain", { type })
  return sure(core.value(core.null, plain_types[type]))
end

local function type_of(node)
  node_types[node] = node_types[node] or node.kind.type(node)
  return node_types[node]
end

-- Returns the place of missing parts, because a value that is made of several has no place of its own.
local function place_of_body(_, at)
  return at.missing
end

-- Several specs in one

-- Makes a kind whose value consists of the values of its items; key(node, i) returns the key for the value of item i.
local function kind_of_items(nested, type_kind, key, metatable)
  return {
    nested = nested,
    type = function(node)
      local parts = {}
      for i, item in ipairs(node.items) do parts[key(node, i)] = type_of(item) end
      return core.type_of_parts(type_kind, parts)
    end,
    decode = function(node, at)
      local parts, whole = {}, true
      for i, item in ipairs(node.items) do
        local value = item.kind.decode(item, at)
        whole = whole and value ~= nil
        parts[key(node, i)] = value
      end
      if whole then return decoder.make(at, setmetatable(parts, metatable)) end
    end,
    place = place_of_body,
  }
end

kinds.object = kind_of_items("named", "object", function(node, i) return node.names[i] end)
kinds.array = kind_of_items("any", "tuple", function(_, i) return i end, core.array_mt)

-- Attributes

kinds.attr = {
  arguments = { name = "text", type = "type", required = "flag" },
  selector = "name",
  nested = "none",
  expect = function(node, schema)
    local known = schema.attributes[node.name]
    schema.attributes[node.name] = { required = node.required or (known and known.required) or false }
  end,
  type = function(node) return node.type end,
  decode = function(node, at)
    local attribute = at.content.attributes[node.name]
    if not attribute then return null_of(node.type) end
    return decoder.attribute_value(at.run, attribute, node.type)
  end,
  place = function(node, at)
    local attribute = at.content.attributes[node.name]
    return attribute and places.of_attribute(attribute) or at.missing
  end,
  uses = function(node, at, found)
    found[#found + 1] = at.content.attributes[node.name]
  end,
}

-- Blocks

-- Adds the block type of a spec to a schema. `labels` are the labels that the spec itself uses; those that specs inside it use come after
-- them.
local function expect_block(node, schema, labels)
  local all, known = {}, schema.blocks[node.block_type]
  for _, label in ipairs(labels or {}) do all[#all + 1] = label end
  if node.body then decoder.add_label_names(node.body, all) end
  if known and #known.labels ~= #all then schema.conflicts[#schema.conflicts + 1] = node end
  schema.blocks[node.block_type] = { labels = all, body = node.body }
end

-- Adds the attributes that are evaluated in all blocks of the type.
local function uses_of_all(node, at, found)
  for _, block in ipairs(decoder.blocks_of(at, node.block_type)) do decoder.add_uses_of_block(node, at, block, found) end
end

-- Returns the place of the value in the first block.
local function place_in_first(node, at)
  local inner = at.inner[node]
  if not inner then return at.missing end
  return node.body.kind.place(node.body, inner)
end

-- Makes a kind whose specs look for blocks of a type, and have a spec for the bodies of these blocks.
local function kind_of_blocks(row)
  row.selector, row.nested, row.place = "block_type", "body", place_in_first
  row.expect, row.uses = row.expect or expect_block, row.uses or uses_of_all
  return row
end

-- Returns the first block of the type, or nil. Reports a second block; also a missing one, if the spec requires it and the number of blocks
-- is known.
local function only_block(node, at)
  local blocks, run = decoder.blocks_of(at, node.block_type), at.run
  if blocks[2] then
    run.findings:report("SPEC_BLOCK_TWICE", places.of_block(blocks[2]), "Only one block of type %s is allowed here, but the first is at "
      .. "%s. Merge the two, or remove one.", node.block_type, places.words(blocks[1].range))
  end
  if not blocks[1] and node.required and not at.unsure[node.block_type] then
    run.findings:report("SPEC_BLOCK_MISSING", at.missing, "A block of type %s is required here. Add: %s { }",
      node.block_type, node.block_type)
  end
  return blocks[1]
end

kinds.block = kind_of_blocks {
  arguments = { block_type = "text", required = "flag" },
  type = function(node) return type_of(node.body) end,
  decode = function(node, at)
    local block = only_block(node, at)
    if not block then return null_of(type_of(node.body)) end
    return (decoder.decode_block(at, node, block, 0))
  end,
  uses = function(node, at, found)
    local block = decoder.blocks_of(at, node.block_type)[1]
    if block then decoder.add_uses_of_block(node, at, block, found) end
  end,
}

local function check_count(node, at, all)
  local n, report = #all, at.run.findings
  if at.unsure[node.block_type] then return end
  if node.min_items and n < node.min_items then
    report:report("SPEC_BLOCK_COUNT", at.missing, "At least %d blocks of type %s are required here, but there %s %d. Add more.",
      node.min_items, node.block_type, n == 1 and "is" or "are", n)
  elseif node.max_items and node.max_items > 0 and n > node.max_items then
    local extra = all[node.max_items + 1]
    report:report("SPEC_BLOCK_COUNT", node.body.kind.place(node.body, extra.at) or places.of_block(extra.block),
      "At most %d blocks of type %s are allowed here, but there are %d. Remove some.", node.max_items, node.block_type, n)
  end
end

-- Decodes one of several blocks. Its Value gets the marks of the `dynamic` block that generated it. (As in the reference, a single block
-- doesn't get them.)
local function decode_marked(node, at, block, skip)
  local value, inner = decoder.decode_block(at, node, block, skip)
  if value ~= nil then
    for _, mark in ipairs(block.marks or {}) do value = value:mark(mark) end
  end
  return value, inner
end

-- Decodes all blocks of the type, in order. Returns their values, false, and an array of { block, at = level }; nil if a block failed; or
-- nil and true if the number of blocks is unknown.
local function decode_all(node, at)
  local all, values, whole = {}, setmetatable({}, core.array_mt), true
  for i, block in ipairs(decoder.blocks_of(at, node.block_type)) do
    local value, inner = decode_marked(node, at, block, 0)
    if block.unknown then return nil, true end
    all[i] = { block = block, at = inner }
    whole = whole and value ~= nil
    values[i] = value
  end
  check_count(node, at, all)
  if whole then return values, false, all end
end

-- Reports that the values of blocks have no common type. `first` is the level of the first block.
local function report_types(node, at, kind, first, block, err)
  at.run.findings:report("SPEC_BLOCK_TYPES", node.body.kind.place(node.body, first) or places.of_block(block),
    "The blocks of type %s don't fit together in one %s: %s. Give the same arguments the same types in all of them.", node.block_type, kind,
    clause(err, true))
end

local function with_marks_of(values, whole)
  for _, value in ipairs(values) do
    for _, mark in ipairs(value:marks()) do whole = whole:mark(mark) end
  end
  return whole
end

-- Returns true if some types are unknown, so that no common type can be found yet. Then the collection is unknown, too.
local function are_open(values)
  local typed = false
  for _, value in ipairs(values) do typed = typed or core.kind(value) ~= "dynamic" end
  local common = typed and core.unify(values)
  return common and common:kind() == "dynamic"
end

-- Makes a collection from the values of blocks. Its elements have one type, which `constraint` determines.
local function unify(node, at, values, all, constraint, kind)
  if #values == 0 then return sure(core.value(values, core.type_of_parts(kind, { type_of(node.body) }))) end
  if are_open(values) then
    for i = 1, #values do values[i] = core.unknown "any" end
  end
  local value, err = constraint:convert(values)
  if value ~= nil then
    -- The conversion to a set loses the marks of nulls, so they are added again.
    return kind == "set" and with_marks_of(values, value) or value
  end
  report_types(node, at, kind, all[1].at, all[1].block, err)
end

local function collection_kind(kind)
  local constraint = certain(core.type(kind .. "(any)"))
  return kind_of_blocks {
    arguments = { block_type = "text", min_items = "count", max_items = "count" },
    type = function(node) return core.type_of_parts(kind, { type_of(node.body) }) end,
    decode = function(node, at)
      local values, unknown, all = decode_all(node, at)
      if unknown then return sure(core.unknown(core.type_of_parts(kind, { type_of(node.body) }))) end
      if values then return unify(node, at, values, all, constraint, kind) end
    end,
  }
end

kinds.block_list = collection_kind "list"
kinds.block_set = collection_kind "set"

-- Makes a kind for blocks that keep their own types. The function `all` returns the values of the blocks.
local function kind_of_any_blocks(all, row)
  row.type = function() return certain(core.type "any") end
  row.decode = function(node, at)
    local values, unknown = all(node, at)
    if unknown then return core.unknown "any" end
    if values then return decoder.make(at, values) end
  end
  return kind_of_blocks(row)
end

kinds.block_tuple = kind_of_any_blocks(decode_all, { arguments = kinds.block_list.arguments })

-- Blocks by their labels

local function report_same_labels(node, at, block)
  local labels = {}
  for i, label in ipairs(block.labels) do labels[i] = string.format('"%s"', label) end
  at.run.findings:report("SPEC_BLOCK_TWICE", places.of_block(block), "There is another block %s %s before this one, and the labels of such "
    .. "blocks must differ. Rename or remove one of them.", node.block_type,
    block.secret and "with these labels" or table.concat(labels, " "))
end

-- Decodes all blocks into tables, with a level for each label. Returns the outermost table; nil if a block failed or two blocks have the
-- same labels; or nil and true if the number of blocks is unknown.
local function decode_labelled(node, at)
  local tree, whole, depth = {}, true, #node.labels
  for _, block in ipairs(decoder.blocks_of(at, node.block_type)) do
    if block.unknown then return nil, true end
    local value, level = (decode_marked(node, at, block, depth)), tree
    for i = 1, depth - 1 do
      local label = block.labels[i]
      level[label] = level[label] or {}
      level = level[label]
    end
    local key = block.labels[depth]
    whole = whole and value ~= nil
    if level[key] ~= nil then
      report_same_labels(node, at, block)
      whole = false
    else
      level[key] = value or false
    end
  end
  if whole then return tree end
end

local function expect_labelled(node, schema)
  expect_block(node, schema, node.labels)
end

-- Returns the type of nested maps, with a level for each label.
local function map_of(type, node)
  for _ = 1, #node.labels do type = core.type_of_parts("map", { type }) end
  return type
end

local any = certain(core.type "any")

local function map_type(node)
  return map_of(type_of(node.body), node)
end

kinds.block_map = kind_of_blocks {
  arguments = { block_type = "text", labels = "texts" },
  needed = { "labels" },
  expect = expect_labelled,
  type = map_type,
  check = function(node, report)
    if core.type_has_any(type_of(node.body)) then
      report("A map's elements have one type, so nothing in a block_map may have the type any. Name the types, or take a block_object.")
    end
  end,
  decode = function(node, at)
    local tree, unknown = decode_labelled(node, at)
    if unknown then return sure(core.unknown(map_type(node))) end
    if not tree then return nil end
    -- As in the reference, an empty map has one level, however many labels there are.
    if next(tree) == nil then return sure(core.value(tree, core.type_of_parts("map", { type_of(node.body) }))) end
    local value, err = map_of(any, node):convert(tree)
    if value ~= nil then return value end
    report_types(node, at, "map", at.inner[node], decoder.blocks_of(at, node.block_type)[1], err)
  end,
}

kinds.block_object = kind_of_any_blocks(decode_labelled, {
  arguments = kinds.block_map.arguments, needed = { "labels" }, expect = expect_labelled,
})

kinds.block_attrs = {
  arguments = { block_type = "text", element_type = "type", required = "flag" },
  selector = "block_type",
  nested = "none",
  expect = expect_block,
  type = function(node) return core.type_of_parts("map", { node.element_type }) end,
  decode = function(node, at)
    local block, type = only_block(node, at), kinds.block_attrs.type(node)
    if not block then return null_of(type) end
    local values, whole = {}, true
    for _, attribute in ipairs(decoder.only_attributes(at, block)) do
      local value = decoder.attribute_value(at.run, attribute, node.element_type)
      whole = whole and value ~= nil
      values[attribute.name] = value
    end
    if not whole then return nil end
    local value, err = core.value(values, type)
    if value ~= nil then return value end
    at.run.findings:report("SPEC_BLOCK_TYPES", places.of_block(block), "The arguments of the block %s don't fit together in one map: %s. "
      .. "Give all of them the same type.", node.block_type, clause(err, true))
  end,
  uses = function(node, at, found)
    local block = decoder.blocks_of(at, node.block_type)[1]
    for _, attribute in ipairs(block and levels.attributes_of(block.body) or {}) do found[#found + 1] = attribute end
  end,
  place = function(node, at)
    local block = decoder.blocks_of(at, node.block_type)[1]
    return block and places.of_block(block) or at.missing
  end,
}

kinds.block_label = {
  arguments = { index = "count", name = "text" },
  needed = { "index" },
  nested = "none",
  inside_block = true,
  type = function() return certain(core.type "string") end,
  decode = function(node, at)
    local label = at.labels[node.index + 1]
    if label.block.secret then at.run.secrets = at.run.secrets + 1 end
    return sure(core.value(label.text))
  end,
  place = function(node, at)
    local label = at.labels[node.index + 1]
    return { object = label.block, range = label.range }
  end,
}

-- Specs that change the value of another spec

kinds.literal = {
  arguments = { value = "value" },
  needed = { "value" },
  nested = "none",
  type = function(node) return node.value:type() end,
  decode = function(node) return node.value end,
  place = function() end,
}

local function type_of_first(node)
  return type_of(node.items[1])
end

local function place_of_first(node, at)
  return node.items[1].kind.place(node.items[1], at)
end

kinds.default = {
  nested = "some",
  type = type_of_first,
  decode = function(node, at)
    local value
    for _, item in ipairs(node.items) do
      value = item.kind.decode(item, at)
      if value == nil or not value:is_null() then break end
    end
    return value
  end,
  place = place_of_first,
}

local function transformed(node, nested, scope)
  if not node.result then return sure(core.value(core.null)) end
  return node.result:value({ nested = nested }, scope)
end

kinds.transform = {
  arguments = { result = "expression" },
  nested = "one",
  type = function(node)
    local value = transformed(node, core.unknown(type_of_first(node)), functions.scope)
    return value and value:type() or certain(core.type "any")
  end,
  decode = function(node, at)
    local run, secrets = at.run, at.run.secrets
    local nested = decoder.decode_sound(node.items[1], at)
    if nested == nil then return nil end
    local value, err = transformed(node, nested, run.own_scope())
    if value ~= nil then return value end
    if run.secrets > secrets then -- repeat it with a marked value: the error is the same, but hides the value
      local hidden, why = transformed(node, nested:mark "sensitive", run.own_scope())
      err = hidden == nil and why or err
    end
    run.findings:add(err)
  end,
  place = place_of_first,
}

kinds.refine = require "hclexpr.spec.refine"

for name, kind in pairs(kinds) do kind.name = name end

return kinds
