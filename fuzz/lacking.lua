-- Incomplete folders compared with complete ones: a random schema, a folder that matches it, and questions. Then the schema, the
-- called module and values of variables are removed. If the complete folder answers, so does the other; values known there are equal, and no
-- value is known that isn't known in the complete one; hidden values stay hidden.   LUA lacking.lua ROUNDS SEED   (hclexpr on the path)
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../spec/support.lua")

local M = {}

local draw
local function chance(percent) return draw(100) <= percent end
local function pick(list) return list[draw(#list)] end

-- ---- schemas ------------------------------------------------------------------------------------------------------------

local function nested(mode, attributes) return { nesting_mode = mode, attributes = attributes } end
local INNER = {
  x = { type = "string", optional = true }, y = { type = "number", optional = true, computed = true },
  z = { type = "string", optional = true, computed = true }, r = { type = "string", computed = true },
  p_wo = { type = "string", optional = true, write_only = true },
}
local DEEP = {
  x = INNER.x, z = INNER.z,
  in_one = { nested_type = nested("single", INNER), optional = true }, in_list = { nested_type = nested("list", INNER), optional = true },
  in_set = { nested_type = nested("set", { x = INNER.x, y = INNER.y }), optional = true, computed = true },
}
local INNERS = {
  '{ x = "in" }', '{ x = "in", y = 3 }', "{ x = var.s, y = null }", '{ x = "", z = "zz" }', '{ p_wo = "gone", x = "in" }', "{ z = null }",
  "{}",
}

-- Arguments by name, with values that have their type as written: a schema converts them only to a collection, or to an
-- object with more attributes. types: it has one of these, a nested type too.
local ARGUMENTS = {
  a = { type = "string", values = { '"x"', '"y"', '"7"', '""', "null", "var.s", "local.s", "var.h" } },
  n = { type = "number", values = { "1", "0", "2.5", "null", "var.n", "local.n", "length(var.l)" } },
  b = { type = "bool", values = { "true", "false", "null", "var.b", "var.n == 1" } },
  l = { type = { "list", "string" }, values = { 'tolist(["p", "q"])', "tolist([])", "var.l", "null" } },
  m = { type = { "map", "string" }, values = { 'tomap({ k = "v" })', "var.m", "tomap({})", "null" } },
  o = { type = { "object", { x = "string", y = "number" } }, values = { '{ x = "in", y = 3 }', "{ x = var.s, y = var.n }", "null" } },
  w_wo = { type = "string", values = { '"gone"', "var.s", "null" }, write_only = true },
  c = { type = "string", values = { '"set"', "null", "var.s" }, computed = true },
  f = { types = { { "set", "string" }, { "list", "string" }, "dynamic" }, values = {
    '["q", "p", "q"]', '["p"]', '["p", "q"]', '["q", "p"]', 'toset(["q", "p"])', 'concat(["q"], var.l)', '["", "p"]', "[]", "null",
    "[var.s]",
  } },
  g = { types = { { "set", "number" }, { "list", "number" } }, values = { "[2, 1]", "[1, 2]", "[1]", "[2, 2]", "[var.n]", "[10, 9]" } },
  d = { types = { { "map", "string" }, nested("single", { k = INNER.x, e = INNER.z }), nested("single", { k = INNER.z }), "dynamic" },
        values = {
    '{ k = "v" }', 'tomap({ k = "v" })', "{}", "null", "{ k = null }", '{ k = "" }', "{ k = var.s }", '{ for x in ["k"] : x => x }',
    "{ k = var.h }",
    'merge({ k = "w" }, { k = "v" })',
  } },
  one = { types = { nested("single", INNER) }, values = INNERS },
  deep = { types = { nested("single", DEEP) }, values = {
    '{ x = "a", in_one = { x = "in" }, in_list = [{ x = "b" }, { x = "b", z = null }] }', '{ in_set = [{ x = "b" }, { x = "a" }] }',
    '{ in_list = [{ p_wo = "gone" }], in_one = null }', "{ in_set = [{ x = var.s }], in_list = [] }", "null",
  } },
  many = { types = { nested("list", INNER), nested("set", { x = INNER.x, z = INNER.z }) }, values = {
    '[{ x = "b" }, { x = "a" }]', '[{ x = "a" }]', '[{ x = "a" }, { x = "a" }]', '[for s in ["q", "p"] : { x = s }]', '[{ x = null }]',
    "[]",
    '[{ x = "a", z = "k" }, { x = "b", z = null }]',
  } },
  keyed = { types = { nested("map", INNER) },
            values = { '{ a = { x = "in" } }', "{ a = { y = null }, b = { x = var.s } }", "{}", "null" } },
}

-- Objects, lists of them, nulls, sets and maps within each other. Each row is drawn for fewer blocks: few values are of all of its types.
local PAIR = { "object", { x = "string", y = "number" } }
local OPTIONAL = { x = INNER.x, y = { type = "number", optional = true } }
local LISTS = { items = { type = { "list", "string" }, optional = true }, tags = { type = { "map", "string" }, optional = true },
                some = { type = { "set", "string" }, optional = true, computed = true },
                inner = { nested_type = nested("single", INNER), optional = true } }
local function collections(of)
  return { { "list", of }, { "set", of }, "dynamic" }
end
local function with(list, ...)
  for _, more in ipairs { ... } do list[#list + 1] = more end
  return list
end
local NESTED = {
  pairs = { types = with(collections(PAIR), nested("list", OPTIONAL), nested("set", OPTIONAL)), values = {
    '[{ x = "b", y = 2 }, { x = "a", y = 1 }]', '[{ x = "a", y = 1 }]', '[{ x = "a", y = 1 }, { x = "a", y = 1 }]', "local.pairs",
    '[for p in local.pairs : merge(p, { y = var.n })]', "[{ x = null, y = 1 }, { x = null, y = null }]", "var.b ? local.pairs : []",
    'concat(local.pairs, [{ x = var.s, y = 3 }])', '[for k in ["b", "a"] : { x = k, y = length(k) }]', "[local.pair]", "null", "[]",
    'var.b ? [{ x = "c", y = 0 }] : null', 'tolist([{ x = "b", y = 2 }, { x = "a", y = 1 }])', "toset(local.pairs)", "local.pairs[*]",
    '[{ x = "", y = 1 }]', "values({ k = local.pair })", "distinct(concat(local.pairs, local.pairs))", "slice(local.pairs, 0, 1)",
    'flatten([local.pairs, [[{ x = "e", y = 5 }]]])',
  } },
  by_name = { types = { { "map", PAIR }, nested("map", OPTIONAL), "dynamic" }, values = {
    '{ a = { x = "in", y = 1 } }', '{ b = { x = null, y = 2 }, a = { x = var.s, y = null } }', "{ for p in local.pairs : p.x => p }",
    "{}",
    "null", "tomap({ a = local.pair })", "{ a = local.pair, b = merge(local.pair, { y = 7 }) }", "zipmap(local.pairs[*].x, local.pairs)",
    'merge({ a = local.pair }, { a = { x = "over", y = 0 } })', "{ a = null }",
  } },
  lists = { types = with(collections { "list", "string" }, { "list", { "set", "string" } }, { "set", { "set", "string" } }),
            ordered = { { "list", { "list", "string" } }, "dynamic" }, values = {
    '[["q", "p"], ["q", "p"]]', '[["q", "p", "q"], []]', "[var.l, [var.s]]", "[]", "null", '[["p"], null]', "chunklist(var.l, 1)",
    '[[null, "p"]]', "[[]]", "[tolist([])]", '[["q", "p"], ["p", "q"]]',
  } },
  grouped = { types = { { "map", { "list", "string" } }, { "map", { "set", "string" } }, "dynamic" }, values = {
    '{ a = ["q", "p"], b = ["q", "q"] }', '{ a = ["p"], b = [] }', "{ a = var.l, b = null }", '{ for s in var.l : s => [s, "z"] }',
    '{ for s in ["p", "q", "p"] : s => s... }', "{ a = [null] }", "{}", "tomap({ a = var.l })",
  } },
  gaps = { types = with(collections "string"), values = {
    '["p", null]', "[null]", "[null, null]", '[null, ""]', '["q", null, "q"]', "tolist([null])", '[var.s, null, "a"]',
    "[for s in var.l : null]",
  } },
  holes = { types = { { "map", "string" }, "dynamic" }, values = {
    '{ k = null, a = "x" }', "{ k = null }", '{ k = "" }', "{ for s in var.l : s => null }", 'merge(var.m, { k = null })',
    "tomap({ k = null })",
  } },
  holder = { types = { nested("single", LISTS), "dynamic",
                       { "object", { items = { "list", "string" }, tags = { "map", "string" }, some = { "set", "string" },
                         inner = PAIR } } },
             values = {
    '{ items = ["q", "p"], tags = { k = "v" }, some = ["q", "q"], inner = { x = "in", y = 1 } }',
    "{ items = [], tags = {}, some = [], inner = local.pair }", "{ items = null, tags = null, some = null, inner = null }",
    '{ items = var.l, tags = var.m, some = toset(["p"]), inner = { x = null, y = null } }',
    '{ items = [null, "p"], tags = { k = null }, some = [null], inner = { x = "", y = var.n } }', "null",
    'var.b ? { items = ["p"], tags = { k = var.s }, some = ["p"], inner = local.pair } : null',
  } },
  holders = { types = { nested("list", LISTS), nested("set", LISTS) }, values = {
    '[{ items = ["q", "p"] }, { tags = { k = "v" } }]', '[{ some = ["q", "p"], inner = { z = null } }]', "[{}]", "[{}, {}]", "[]",
    '[for s in ["q", "p"] : { items = [s, s], inner = { x = s } }]', "[{ some = null, items = [] }]",
  } },
  held = { types = { nested("map", LISTS) }, values = {
    '{ a = { items = ["q", "p"] }, b = {} }', '{ a = { some = ["q"], inner = { p_wo = "gone", x = "in" } } }',
    "{ for s in var.l : s => { tags = { k = s } } }",
  } },
  deeps = { types = { nested("list", DEEP), nested("set", DEEP) }, values = {
    '[{ x = "b", in_list = [{ x = "in" }] }, { x = "a", in_one = { z = "zz" } }]', '[{ in_set = [{ x = "b" }, { x = "b" }] }]',
    '[{ x = null, in_list = null, in_one = { y = null } }]',
    '[for s in ["b", "a"] : { x = s, in_set = [for t in ["d", "c"] : { x = t }] }]',
  } },
}
for name, row in pairs(NESTED) do
  ARGUMENTS[name], row.rare = row, true
end
local NAMES = support.keys(ARGUMENTS)
local READ = { id = "string", out = { "list", "string" }, all = { "map", { "object", { id = "string" } } } }

local NESTINGS -- of this round
local has_sets -- may its attributes be sets of sets? Their order depends on values.

local function some_block(depth)
  local block, types = { attributes = {} }, {}
  for _, name in ipairs(NAMES) do
    local row = ARGUMENTS[name]
    if chance(row.rare and 35 or 60) then
      local type_of = row.types and pick(not has_sets and row.ordered or row.types) or row.type
      local is_nested = type(type_of) == "table" and type_of.nesting_mode
      block.attributes[name] = { type = not is_nested and type_of or nil, nested_type = is_nested and type_of or nil, optional = true,
                                 computed = row.computed or row.types and chance(30), write_only = row.write_only }
    end
  end
  for name, type_of in pairs(READ) do block.attributes[name] = { type = type_of, computed = true } end
  if depth > 0 then
    for _, name in ipairs { "rule", "peer" } do
      if chance(70) then types[name] = { nesting_mode = pick(NESTINGS), block = some_block(depth - 1) } end
    end
  end
  block.block_types = types
  return block
end

local TYPES = { "shop_disk", "shop_host" }

local function some_schema()
  local resources, data = {}, {}
  for _, name in ipairs(TYPES) do
    resources[name], data[name] = { version = 0, block = some_block(2) }, { version = 0, block = some_block(1) }
  end
  return { resource_schemas = resources, data_source_schemas = data, provider = { version = 0, block = { attributes = {} } } }
end

-- ---- folders ------------------------------------------------------------------------------------------------------------

local write_body

-- One secret hides a whole set, which only a schema makes: sets have no secrets.
local function write_blocks(out, name, row, earlier, element, open)
  open = open and row.nesting_mode ~= "set"
  local several, labelled = row.nesting_mode ~= "single" and row.nesting_mode ~= "group", row.nesting_mode == "map"
  if several and chance(30) then
    local elements = pick { '["a", "b"]', "var.l", "[]", "{ a = 1 }", '[for s in ["p"] : s]' }
    local labels = labelled and ('labels = ["d${%s.key}"]\n'):format(name) or ""
    out[#out + 1] = ('dynamic "%s" {\nfor_each = %s\n%scontent {'):format(name, elements, labels)
    write_body(out, row.block, earlier, name .. ".value", open)
    out[#out + 1] = "}\n}"
  end
  for i = 1, several and draw(3) - 1 or draw(2) - 1 do
    out[#out + 1] = name .. (labelled and (' "%s" {'):format(i == 1 and "k" or "a") or " {")
    write_body(out, row.block, earlier, element, open)
    out[#out + 1] = "}"
  end
end

function write_body(out, block, earlier, element, open)
  for _, name in ipairs(support.keys(block.attributes)) do
    local row = ARGUMENTS[name]
    if row and chance(60) then
      local value = pick(row.values)
      if value == "var.h" and not open then value = "var.s" end
      if row.type == "string" and element and chance(40) then value = '"v${' .. element .. '}"' end
      if row.type == "string" and earlier[1] and chance(25) then value = pick(earlier) .. pick { ".id", ".c" } end
      out[#out + 1] = name .. " = " .. value
    end
  end
  for _, name in ipairs(support.keys(block.block_types)) do write_blocks(out, name, block.block_types[name], earlier, element, open) end
end

-- How a resource is repeated, with expressions for one of its instances, or all.
local REPEATED = {
  { lines = { "" }, ones = { "%s", "%s", "%s[*]", "[%s]" }, first = "%s" },
  { lines = { "count = 2", "count = var.n == 1 ? 1 : 2", "count = length(var.l)" }, first = "%s[0]",
    ones = { "%s[0]", "%s[*]", "%s", "element(%s, 1)", "[for v in %s : v]", "%s[var.n - 1]" } },
  { lines = { 'for_each = { a = "x", b = "y" }', "for_each = var.m", 'for_each = toset(["a"])' },
    ones = { '%s["a"]', "values(%s)", "%s", "one(values(%s))", "{ for k, v in %s : k => v }", "%s[local.s]", "keys(%s)" } },
}

-- Resources and data: expressions for one of them, and one for an object.
local function some_resources(schema, out)
  local ones, single, earlier = {}, "null", {}
  for i = 1, 3 do
    local data, of, how = i == 3, pick(TYPES), pick { REPEATED[1], REPEATED[1], REPEATED[2], REPEATED[3] }
    local block = (data and schema.data_source_schemas or schema.resource_schemas)[of].block
    local address = (data and "data." or "") .. of .. ".r" .. i
    out[#out + 1] = ('%s "%s" "r%d" {\n%s'):format(data and "data" or "resource", of, i, pick(how.lines))
    write_body(out, block, earlier, nil, true)
    out[#out + 1] = "}"
    for _, one in ipairs(how.ones) do ones[#ones + 1] = one:format(address) end
    single = how.first and how.first:format(address) or single
    if how.first and not data and block.attributes.c then earlier[#earlier + 1] = single end
  end
  return ones, single
end

local VARIABLES = {
  s = { "string", "a" }, n = { "number", 1 }, b = { "bool", true }, l = { "list(string)", { "p", "q" } },
  m = { "map(string)", { a = "1" } },
  h = { "string", "hush", "sensitive = true" }, any = { "any", { a = { "u", 1 } } },
}

local CHILD = [[
variable "any" { default = null }
variable "typed" {
  type    = object({ id = string, a = optional(string), n = optional(number), rule = optional(set(object({ a = optional(string) }))) })
  default = null
}
variable "list" {
  type     = list(string)
  default  = ["d"]
  nullable = false
}
output "any" { value = var.any }
output "typed" { value = var.typed }
output "list" { value = var.list }
output "both" { value = { any = var.any, n = length(var.list) } }
]]

local function some_folder(schema)
  local out = {}
  for _, name in ipairs(support.keys(VARIABLES)) do
    out[#out + 1] = ('variable "%s" {\n type = %s\n %s\n}'):format(name, VARIABLES[name][1], VARIABLES[name][3] or "")
  end
  local ones, single = some_resources(schema, out)
  ones[#ones + 1] = "var.any"
  return table.concat(out, "\n") .. "\n", ones, single
end

-- The rest of a folder: locals and a call, from expressions that have a value, and new expressions for these.
local REST = [[
locals {
  pair  = { x = "pair", y = 9 }
  pairs = [{ x = "b", y = 2 }, { x = "a", y = 1 }]
  s = var.s
  n = var.n + 1
  x = %s
  y = [local.x, %s]
}
module "m" {
  source = "acme/m/shop"
  any    = %s
  list   = %s
  typed  = %s
}
]]
local PLAIN = REST:format("1", "1", "1", "null", "null")
local FLOWS = { "local.x", "local.y[1]", "local.y", "module.m.any", "module.m.typed", "module.m", "module.m.both.any", "module.m.list" }

-- ---- questions ----------------------------------------------------------------------------------------------------------

local STEPS = {
  ".id", ".a", ".n", ".b", ".l", ".m", ".o.x", ".c", ".w_wo", ".out", ".all", ".rule", ".rule[0]", ".rule[0].a", ".rule[*].a",
  ".rule[1].n", ".peer", ".peer[0].a", ".peer[*].n", ".rule.a", ".peer.rule[0].a", ".rule[0].peer[0].n", "[0]", '["a"]', "[*]",
  "[*].a", "[var.n].a", '.m["k"]', ".l[0]", "[0].rule[0].a", ".k", ".x", ".f", ".f[0]", ".f[*]", ".g", ".g[1]", ".d", ".d.k", ".d.e",
  ".one", ".one.x",
  ".one.y", ".one.z", ".one.p_wo", ".deep.x", ".deep.in_one.x", ".deep.in_list[0].x", ".deep.in_list[*].x", ".deep.in_set", ".many",
  ".many[0].x",
  ".pairs", ".pairs[0]", ".pairs[0].x", ".pairs[*].y", ".pairs[1].x", ".by_name", ".by_name.a", '.by_name["a"].x', ".by_name.b.y",
  ".lists",
  ".lists[0]", ".lists[0][0]", ".lists[1]", ".lists[*][0]", ".grouped", ".grouped.a", '.grouped["b"]', ".grouped.a[0]", ".gaps",
  ".gaps[0]",
  ".gaps[1]", ".holes", ".holes.k", ".holder", ".holder.items", ".holder.items[0]", ".holder.tags.k", ".holder.some", ".holder.inner",
  ".holder.inner.x", ".holders", ".holders[0].items", ".holders[*].inner.x", ".holders[*].some", ".held", ".held.a.items[1]",
  ".held.a.some",
  ".deeps", ".deeps[0].x", ".deeps[*].in_set", ".deeps[0].in_list[0].x", ".deeps[*].in_one.z", ".rule.k.a", '.rule["k"]', ".peer.a.n",
  ".rule.k.pairs[0].x",
  ".many[*].x", ".many[1].z", ".keyed", ".keyed.a.x", '.keyed["b"].y', ".x", ".y", ".z",
}
local CALLS = {
  "length(%s)", "keys(%s)", "values(%s)", "one(%s)", "element(%s, 0)", "concat(%s, [])", "concat(%s...)", "flatten([%s])",
  "merge(%s, { z = 1 })", 'lookup(%s, "a", "none")', 'try(%s, "fallen")', "can(%s)", 'coalesce(%s, "first")', "tolist(%s)", "toset(%s)",
  "tomap(%s)", "jsonencode(%s)", "tostring(%s)", "reverse(%s)", "distinct(%s)", 'join(",", %s)', "upper(%s)",
  "nonsensitive(sensitive(%s))",
  "compact(%s)", "sort(%s)", "[%s]", "{ k = %s }", '"<${%s}>"', '"${%s}"', "(%s == null)",
  "(var.b ? %s : null)",
  "(var.b ? %s : [])", "[for v in %s : v]", "{ for k, v in %s : k => v }", "[for v in %s : v.a]", "[for k, v in %s : k]",
  "setunion(%s, [])", 'contains(%s, "a")', "alltrue([%s])", 'zipmap(["a"], [%s])', "slice(%s, 0, 1)", "chunklist(%s, 1)", "!%s", "-%s",
  "sum(%s)", '(%s == ["p"])', '(%s == { k = "v" })', 'index(%s, "p")', '{ for v in %s : v => 1 }',
  'merge(%s, { k = null })', "max(%s...)",
  "contains(%s, null)", "(%s != null)", "[for v in %s : v.x if v != null]", "setproduct(%s, [1])", "toset([%s])", "transpose(%s)",
  '{ for k, v in %s : k => v if k != "a" }', 'length([for v in %s : v if v.x == "a"])', "setsubtract(%s, [])", 'lookup(%s, "x", null)',
  "one(%s[*].x)", 'coalescelist(%s, ["z"])', "[for v in %s : length(v)]", "{ for v in %s : v.x => v... }",
  "anytrue([for v in %s : v.x == null])",
  "matchkeys(%s, %s, [])", "tolist([%s, null])", "tomap({ k = %s })", "issensitive(%s)", "distinct([%s, %s])",
  "element(%s, 1)", "element(%s, -1)", "sort(keys(%s))", "concat(%s, %s)", "merge({ x = 0, y = 0 }, %s)", "merge(%s...)",
  "setintersection(%s, %s)",
  '(var.b ? %s : ["z"])', "contains(%s, 2)", 'lookup(%s, "k", "none")', "yamlencode(%s)", 'formatlist("%%s", %s)', 'format("%%v", %s)',
}

-- The steps that lead somewhere in these texts: what names nothing that is written there mostly has no answer.
local function steps_of(text)
  local found = {}
  for _, step in ipairs(STEPS) do
    local name = step:match "^%.([%w_]+)"
    if not name or text:find("%f[%w_]" .. name .. "%f[^%w_] [={\"]") then found[#found + 1] = step end
  end
  return found
end

local steps -- of this round

local expression
function expression(ones, depth)
  if depth <= 0 then return pick(ones) end
  if chance(50) then return expression(ones, depth - 1) .. pick(chance(90) and steps or STEPS) end
  local form = pick(CALLS)
  local inner = expression(ones, depth - 1)
  -- Reference: an expression that fails once it is known counts as evaluated if a value is known without it, such as a length.
  if form:find "^try%(" and inner:find "[%(%*{]" or form:find "^can%(" and inner:find "[%(%*{]" then return inner end
  return (form:gsub("%%([s%%])", function(c) return c == "s" and inner or "%" end))
end

-- ---- answers ------------------------------------------------------------------------------------------------------------

local function hidden(v)
  for _, mark in ipairs(v:marks()) do
    if mark == "sensitive" then return true end
  end
  return false
end

local SEQUENCE, MAPPING = { list = 1, tuple = 1, set = 1 }, { map = 1, object = 1 }

-- Parts by key, and which kind of value has them; nil: it has none.
local function parts_of(v)
  local kind = v:type():kind()
  local class = SEQUENCE[kind] and "sequence" or MAPPING[kind] and "mapping"
  if not class then return nil end
  local out = {}
  for k, part in v:pairs() do out[k] = part end
  return out, class, kind
end

-- Is anything in a value known but its form?
local function has_leaf(v)
  v = v:unmark()
  if not v:is_known() then return false end
  local parts = not v:is_null() and parts_of(v)
  if not parts then return true end
  for _, part in pairs(parts) do
    if has_leaf(part) then return true end
  end
  return false
end

local breach

-- How w contradicts the refinements r of the unknown value in its place; nil: it doesn't.
local function outside(r, w, bare)
  if w:is_known() and w:is_null() then return r.not_null and "null, which it isn't said to be" end
  if not w:is_known() then return nil end
  local kind = w:type():kind()
  if kind == "string" and r.prefix and w:text():sub(1, #r.prefix) ~= r.prefix then return "another beginning" end
  if kind == "number" and (r.min and w < r.min or r.max and r.max < w) then return "out of bounds" end
  if r.min_length and #w < r.min_length or r.max_length and #w > r.max_length then return "another length" end
  local parts, class = parts_of(w)
  for name, part in pairs(r.attributes and parts_of(r.attributes) or {}) do
    if class ~= "mapping" or not parts[name] then return "no part " .. name end
    local why = breach(parts[name], part, bare)
    if why then return name .. ": " .. why end
  end
  if not r.items or w:type():kind() == "set" then return nil end
  local items = parts_of(r.items)
  if class == "mapping" then return breach(w, items[0], bare) end
  for i, item in pairs(items) do
    local why = not parts[i] and "no item" or breach(parts[i], item, bare)
    if why then return i .. ": " .. why end
  end
end

-- Why is `l`, of the folder that lacks something, not what may be said of `w`, of the whole one? nil: it is.
function breach(w, l, bare)
  -- bare: is what the whole hides not hidden?
  bare = (bare or hidden(w)) and not hidden(l)
  w, l = w:unmark(), l:unmark()
  if not l:is_known() then return outside(l:refinements(), w, bare) end
  if not w:is_known() then return has_leaf(l) and "known, where it isn't of the whole" or nil end
  if w:is_null() ~= l:is_null() then return "null or not" end
  if w:is_null() then return nil end
  local ours, class, kind = parts_of(l)
  local theirs, other, other_kind = parts_of(w)
  if class ~= other then return "another kind" end
  if not ours and bare and l:type():kind() ~= "bool" then return "a secret shows" end -- whether a value is null isn't secret
  if not ours then return w ~= l and ("%s, not %s"):format(tostring(l), tostring(w)) or nil end
  if kind == "set" or other_kind == "set" then return nil end
  for k, part in pairs(ours) do
    local why = not theirs[k] and "an element too many" or breach(theirs[k], part, bare)
    if why then return k .. ": " .. why end
  end
  for k in pairs(theirs) do
    if not ours[k] then return k .. ": an element too few" end
  end
end

-- ---- rounds -------------------------------------------------------------------------------------------------------------

local folder

local function opened(text, options)
  options.read = function(path)
    if path:find("/m/main.tf", 1, true) then return CHILD end
    return path:find("main.tf", 1, true) and text or nil
  end
  return hcl.module(folder, options)
end

local function given(left_out)
  local values = {}
  for name, row in pairs(VARIABLES) do
    if left_out ~= name and left_out ~= "all" then values[name] = row[2] end
  end
  return values
end

local function source_of() return folder .. "/m" end

--- A schema, the text of a folder for it, and its expressions.
function M.sample(choose)
  draw, has_sets, NESTINGS = choose, true, { "list", "set", "single", "map", "group" }
  local schema = some_schema()
  local text = some_folder(schema)
  return { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/shop"] = schema } }, text
end

-- Parts that may be missing. If the order of a set depends on a value, no schema has one.
local LACKS = {
  { name = "a schema", schema = true }, { name = "everything", schema = true, module = true, value = "all" },
  { name = "a module", module = true }, { name = "a value", value = true },
}

local function some_expression(m, ones, depth)
  for _ = 1, 20 do
    local source = expression(ones, draw(depth))
    local value, why = m:value(source)
    if value and not why then return source end
  end
  return ones[1]
end

-- A folder that evaluates completely, its text, and expressions that give its values; nil if it doesn't.
local function some_whole(options)
  local text, ones, single = some_folder(options.schemas.provider_schemas["registry.terraform.io/hashicorp/shop"])
  steps = steps_of(text)
  local plain = hcl.assert(opened(text .. PLAIN, options))
  local function sound(depth) return some_expression(plain, ones, depth) end
  local list, typed = pick { "var.l", '["p"]', "null" }, chance(70) and single or "null"
  text = text .. REST:format(sound(3), sound(2), sound(3), list, typed)
  for _, flow in ipairs(FLOWS) do ones[#ones + 1] = flow end
  local whole = hcl.assert(opened(text, options))
  return whole:plan() and whole, text, ones
end

--- One round: calls report(source, why, text, what lacks) for each violation; choose(n) returns a random number from 1 to n.
---@return number? answered how many questions the complete folder answers; nil: it is wrong
function M.round(choose, report)
  draw = choose
  folder = folder or support.folder { ["main.tf"] = "", ["m/main.tf"] = "" }
  local lack = pick(LACKS)
  has_sets = lack.schema
  NESTINGS = has_sets and { "list", "list", "set", "single", "map", "group" } or { "list", "list", "single", "map", "group" }
  local schemas = { format_version = "1.0", provider_schemas = { ["registry.terraform.io/hashicorp/shop"] = some_schema() } }
  local whole, text, ones = some_whole { schemas = schemas, variables = given(), source = source_of }
  if not whole then return nil end
  local other = hcl.assert(opened(text, {
    missing = "unknown", schemas = not lack.schema and schemas or nil, source = not lack.module and source_of or nil,
    variables = given(lack.value == true and pick(support.keys(VARIABLES)) or lack.value),
  }))
  local plan, wrong = other:plan()
  if not plan then report("", "it isn't planned: " .. tostring(wrong), text, lack.name) end
  local answered = 0
  for _ = 1, 200 do
    local source = expression(ones, draw(4))
    local w, why = whole:value(source)
    -- Reference: a hidden value of unknown type stays one element.
    local usual = (source .. text):find("flatten", 1, true) and text:find("var.h", 1, true)
    if w and not why and not usual then
      answered = answered + 1
      local l, fault = other:value(source)
      -- Reference: a splat over an unknown value checks attributes by its type, even if the value may be null.
      local typed = fault and source:find("[*]", 1, true) and fault[1].detail:find "follows a %l+, which has no attributes"
      local broken = not typed and fault and "an error: " .. tostring(fault[1].detail) or not fault and breach(w, l)
      if broken then report(source, broken, text, lack.name, w, l) end
    end
  end
  return answered
end

--- Removes the folder of the rounds.
function M.close()
  if folder then support.remove(folder) end
  folder = nil
end

function M.run(rounds, first, report)
  local wrong, answered, whole = 0, 0, 0
  for seed = first, first + rounds - 1 do
    local n = M.round(support.random(seed * 7919 % 2147483646 + 1), function(...)
      wrong = wrong + 1
      report(seed, ...)
    end)
    answered, whole = answered + (n or 0), whole + (n and 1 or 0)
  end
  M.close()
  return wrong, answered, whole
end

if arg and arg[0] and arg[0]:find "lacking%.lua$" then
  local wrong, answered, whole = M.run(tonumber(arg[1] or 1000), tonumber(arg[2] or 1), function(seed, source, why, text, lacking, w, l)
    print(("seed %d, without %s: %s\n  %s"):format(seed, lacking, source, why))
    if w then print(("  whole: %s\n  lacking: %s"):format(tostring(w), tostring(l))) end
    if arg[3] then print(text) end
  end)
  print(("%d folders, %d answers, %d breaches"):format(whole, answered, wrong))
  os.exit(wrong == 0)
end

return M
