-- Open objects: unknown values with some known attributes.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local fuzz = dofile(support.root .. "fuzz/open.lua")

local function open(attributes) return assert(hcl.unknown("any", { attributes = attributes })) end

local variables = {
  o = open { a = "x", n = 1, s = hcl.sensitive "hush", l = { 1, 2 }, e = open { a = "in" } },
  p = open { a = "p", b = "q" }, f = open { a = "x", e = hcl.mark("hush", "ephemeral") },
  b = hcl.unknown "bool", t = hcl.unknown "string", u = hcl.unknown "object({ a = string, z = number })",
  one = hcl.unknown("any", { items = { open { port = 22, s = hcl.sensitive "hush" } } }),
  two = hcl.unknown("any", { items = { open { port = 22 }, open { port = 80 } } }),
  texts = hcl.unknown("any", { items = { "b", "a" }, form = "sequence" }),
  sorted = hcl.unknown("any", { items = { "a", "b" }, form = "sequence" }),
  mixed = hcl.unknown("any", { items = { 9, 1 }, form = "sequence" }),
  again = hcl.unknown("any", { items = { 2, 2 }, form = "sequence" }), list = hcl.unknown("any", { items = { "b", "a" }, form = "list" }),
  listed = hcl.unknown("any", { items = { open { port = 22, s = hcl.sensitive "hush" } }, form = "sequence" }),
  like = hcl.unknown("any", { items = { open { port = 22 }, open { port = 22, s = hcl.sensitive "hush" } } }),
}

-- Pairs of blocks of one argument, and whether they differ under any schema: types that convert, sets, null as a default.
local PAIRS = {
  { 1, 2, true }, { "a", "b", true }, { 1, "a", true }, { true, "no", true }, { { x = 1 }, { x = 2 }, true },
  { 1, "1" }, { true, "true" }, { "1", "01" }, { "1", "true" }, { hcl.null, "x" }, { { 1, 2 }, { 2, 1 } }, { { "a", "a" }, { "a" } },
  { { x = 1 }, { x = 1, y = 2 } }, { hcl.sensitive "a", "b" }, { hcl.unknown "string", "b" },
}

local function value_of(source)
  return hcl.assert(hcl.assert(hcl.compile(source)):value(variables))
end

-- A value as text: an unknown value is "?", an open object "{ name = part, … }?"; marks come before it.
local function shown(v)
  local marks = table.concat(v:marks(), ",")
  if marks ~= "" then return marks .. ":" .. shown(v:unmark()) end
  if v:is_known() then
    local kind, parts = v:type():kind(), {}
    if v:is_null() or not ({ list = 1, set = 1, tuple = 1, map = 1, object = 1 })[kind] then return tostring(v) end
    for k, part in v:pairs() do parts[#parts + 1] = (type(k) == "string" and k .. " = " or "") .. shown(part) end
    return (kind == "map" or kind == "object") and "{ " .. table.concat(parts, ", ") .. " }" or "[" .. table.concat(parts, ", ") .. "]"
  end
  local r = v:refinements()
  if r.items then return shown(r.items) .. "?" end
  if r.attributes then return shown(r.attributes) .. "?" end
  local min = r.min or r.min_length
  return (v:type():kind() == "dynamic" and "" or tostring(v:type()) .. " ") .. "?" .. (min and ">=" .. tostring(min) or "")
end

local WHOLE = '{ a = "x", e = { a = "in" }?, l = [1, 2], n = 1, s = sensitive:"hush" }?'
local TEXTS = '{ a = "x", e = { a = "in" }?, l = ?, n = ?, s = sensitive:"hush" }?'

local TABLE = {
  -- access
  { "o", WHOLE }, { "o.a", '"x"' }, { 'o["a"]', '"x"' }, { "o.s", 'sensitive:"hush"' }, { "o.e.a", '"in"' },
  { "o.e.zz", "?" }, { "o.l[1]", "2" },
  -- an unknown part of it may have any type: beside it only texts are sure, and differing types aren't an error
  { "tomap({ a = true, u = o.zz })", "{ a = ?, u = ? }" }, { 'tomap({ a = "t", n = 1, u = o.zz })', '{ a = "t", n = "1", u = string ? }' },
  { "true ? { a = true, n = 1, u = o.zz.deep[0] } : {}", "{ a = ?, n = ?, u = ? }" },
  { "true ? { a = true, u = o.zz } : {}", "{ a = ?, u = ? }" },
  { "true ? { a = true, n = 1, u = upper(o.zz) } : {}", '{ a = "true", n = "1", u = string ? }' },
  { "true ? { a = true, n = 1, u = o.zz[*].id } : {}", "{ a = ?, n = ?, u = ? }" },
  { "true ? { a = true, n = 1, u = [for x in o.zz : x] } : {}", "{ a = ?, n = ?, u = ? }" },
  { "true ? [1, true, o.zz] : []", "?" }, { "true ? 1 : o.zz", "?" }, { 'true ? "t" : o.zz', '"t"' }, { 'true ? ["t"] : o.zz', "?" },
  { "coalesce(1, o.zz)", "?" }, { 'coalesce("t", o.zz)', '"t"' }, { "tolist([1, true, o.zz])", "[?, ?, ?]" },
  { 'tolist([b ? o.zz : null, tolist(["a"])])', "[?, ?]" },
  { "tolist([{ i = o.zz, n = 1 }, { i = o.yy, n = 2 }])", "[{ i = ?, n = 1 }, { i = ?, n = 2 }]" },
  { "true ? { k = { i = o.zz, n = 1 }, l = { i = o.yy, n = 2 } } : {}", "{ k = { i = ?, n = 1 }, l = { i = ?, n = 2 } }" },
  { "true ? [1, 2] : [o.zz]", "[?, ?]" },
  { "tolist([tolist([o.zz]), tolist([1])])", "[?, ?]" }, { "tomap({ a = tolist([o.zz]), b = tolist([1]) })", "{ a = ?, b = ? }" },
  { 'tolist([tolist([o.zz]), tolist(["a"])])', '[[string ?], ["a"]]' },
  { "tolist([{ i = o.zz, n = 1 }, { i = 2, n = 3 }])", "[{ i = ?, n = 1 }, { i = ?, n = 3 }]" },
  { "o.zz", "?" }, { 'o["zz"].deep', "?" }, { "o[0]", "?" }, { 'o[sensitive("a")]', 'sensitive:"x"' },
  { "sensitive(o).a", 'sensitive:"x"' },
  { "o[*].a", '["x"]' }, { "o.*.zz", "[?]" }, { "o[*]", "[" .. WHOLE .. "]" },
  { '[for k in ["a", "zz"] : o[k]]', '["x", ?]' },
  -- equality
  { "o.e == null", "false" }, { "o.e != null", "true" }, { "o.e == {}", "false" }, { 'o.e == { a = "in", b = 1 }', "bool ?" },
  { "o == p", "sensitive:bool ?" },
  -- wherever it is used
  { "[o][0].a", '"x"' }, { "{ k = o }.k.a", '"x"' }, { "[for v in [o] : v.a]", '["x"]' },
  { "{ for k, v in { i = o } : k => v.n }", "{ i = 1 }" },
  { "[o, p][*].a", '["x", "p"]' }, { "values({ k = o })[0].n", "1" }, { "element([o], 3).a", '"x"' },
  { "one([p]).a", '"p"' },
  { "concat([o], [1])[0].a", '"x"' }, { 'zipmap(["k"], [o]).k.a', '"x"' }, { "flatten([o, [p]])[*].a", '["x", "p"]' },
  { "length([o])", "1" },
  { "ephemeralasnull(f).a", '"x"' }, { "ephemeralasnull(f).e == null", "true" }, { "nonsensitive(sensitive(o)).a", '"x"' },
  -- functions that look into it
  { "merge(o, { a = 1 })", (WHOLE:gsub('a = "x"', "a = 1")) },
  { "merge({ a = 1, z = 2 }, p)", '{ a = "p", b = "q", z = ? }?' },
  { "merge({ z = sensitive(2) }, p).z", "sensitive:?" }, { "merge(null, p)", '{ a = "p", b = "q" }?' },
  { "merge(o, u)", "guarded,sensitive:?" }, { "merge(p, u).b", "?" }, { "merge(u, p).b", "?" },
  { "merge(o, o.zz)", "guarded,sensitive:?" }, { 'true ? 1 : lookup(o, "zz")', "?" }, { "tolist([1, true, lookup(p, t)])", "[?, ?, ?]" },
  { 'lookup(o, "a", 1)', '"x"' }, { 'lookup(o, "zz", 1)', "?" }, { 'lookup(p, "zz", o.s)', "sensitive:?" },
  { "length(o)", "number ?>=5" }, { "keys(p)", "?" }, { "keys(o)", "guarded,sensitive:?" }, { "values(o)", "guarded,sensitive:?" },
  { "[for v in o : 1]", "guarded,sensitive:?" }, { "jsonencode(o)", "sensitive:string ?" }, { "jsonencode([p])", "string ?" },
  { "try(o.a, 1)", '"x"' }, { "try(p, 1)", "?" }, { "try(o, 1)", "guarded,sensitive:?" }, { "can(o.zz)", "bool ?" },
  { "can(o.a)", "true" },
  -- common types
  { "true ? o : null", WHOLE }, { "true ? o : {}", TEXTS },
  { "true ? { a = 1, b = \"t\" } : p", '{ a = ?, b = "t" }?' }, { "false ? p : null", "null" },
  -- A part of it is sensitive: so what is made of it may be.
  { "issensitive(b ? o : null)", "bool ?" }, { "issensitive(keys(o))", "bool ?" }, { "issensitive(b ? sensitive(o) : null)", "true" },
  { "issensitive(b ? { k = o } : null)", "bool ?" }, { "issensitive(o.s)", "true" }, { "nonsensitive(b ? o : null)", "?" },
  { "b ? p : null", "?" }, { "b ? o : null", "guarded,sensitive:?" }, { "true ? [o] : []", "[" .. WHOLE .. "]" },
  { "true ? [o] : [p]", "[" .. TEXTS .. "]" },
  { "coalesce(null, p)", '{ a = "p", b = "q" }?' }, { 'coalesce({ a = true, b = "t" }, p)', '{ a = ?, b = "t" }?' },
  { 'coalesce(p, "first")', "?" }, { 'coalesce(p, tomap({ a = "w" })).a', '"p"' }, { 'coalesce(null, "", o)', "sensitive:?" },
  { "tolist([p])", '[{ a = "p", b = "q" }?]' }, { "tolist([o, {}])[0].n", "?" }, { "tolist([o, {}])[0].a", '"x"' },
  { "toset([p])", "set(any) ?" },
  { "tomap(o)", TEXTS }, { "tomap({ k = p })", '{ k = { a = "p", b = "q" }? }' },
  -- conversion
  { "convert(o.e, object({ a = string, z = optional(number, 1) }))", '{ a = "in", z = number ? }' },
  { "convert(o.e, map(string))", "map(string) ?>=1" }, { "convert(p, map(string))", "map(string) ?>=2" },
  { "convert(p, any)", '{ a = "p", b = "q" }?' },
}

-- Nested blocks: a list, a set or, for a single one, the object itself.
local BLOCKS = {
  { "one[0].port", "22" }, { "one.port", "22" }, { 'one["port"]', "22" }, { "one.s", 'sensitive:"hush"' }, { "one[*].port", "[22]?" },
  { "[for b in one : b.port]", "[22]" }, { "[for k, b in one : b.port]", "guarded,sensitive:?" }, { "one[1]", "?" },
  { "length(one)", "number ?>=1" },
  { "two[1].port", "80" }, { "two[0].zz", "?" }, { "two[5]", "?" }, { "two.port", "?" }, { "two[*].port", "?" },
  { "[for b in two : b.port]", "?" },
  { "like[*].port", "guarded,sensitive:?" }, { "length(two)", "2" }, { "length(like)", "number ?>=1" }, { "try(two[0].port, 1)", "?" },
  { "can(one.port)", "bool ?" }, { "try(one.port, 1)", "?" }, { "two == null", "false" }, { "jsonencode(like)", "sensitive:string ?" },
  { "tolist(like)", "guarded,sensitive:list(any) ?>=1" }, { "true ? two : []", "[{ port = 22 }?, { port = 80 }?]?" },
  { "flatten([like])", "guarded,sensitive:?" },
  { "merge(one...)", "guarded,sensitive:?" }, { "concat(two...)", "?" },
  { "convert(one, list(object({ port = string })))", 'sensitive:[{ port = "22" }]' },
  { "convert(one, object({ s = string })).s", 'sensitive:"hush"' },
  { "convert(one, set(object({ port = number, z = string })))", "sensitive:[{ port = 22, z = string ? }]" },
  { "convert(two, set(object({ port = number })))", "[{ port = 22 }, { port = 80 }]" },
  { "convert(two, set(object({ z = string })))", "set(object({ z = string })) ?>=1" },
  { "length(convert(two, list(object({ port = number }))))", "2" },
  { "convert(two, list(object({ port = number })))[1]", "object({ port = number }) ?" },
  { "convert(like, list(object({ s = string })))", "sensitive:list(object({ s = string })) ?>=1" },
  { "can(convert(two, list(string)))", "false" },
  { "one(one).port", "sensitive:22" }, { "one(like)", "sensitive:?" }, { "element(two, 3).port", "80" },
  { "element(one, 7).s", 'sensitive:"hush"' },
  { "false ? two : []", "[]" }, { "[two][0][1].port", "80" }, { "values(like)", "guarded,sensitive:?" }, { "nonsensitive(one).port", "22" },
}

-- A list, tuple or set: an element by its index, the contained elements, and their order and number if a set has the same.
local SEQUENCES = {
  { "texts[0]", '"b"' }, { "texts[2]" }, { "texts.a" }, { 'texts["a"]' }, { "try(texts[0], 1)", "?" }, { "try(texts[2], 1)", "1" },
  { "length(texts)", "2" }, { 'contains(texts, "a")', "true" }, { 'contains(texts, "c")', "false" }, { "toset(texts)", '["a", "b"]' },
  { "sort(texts)", '["a", "b"]' }, { "texts[*]", "?" }, { "[for t in texts : t]", "?" },
  { '{ for t in texts : t => "v" }', '{ a = "v", b = "v" }' },
  { "join(\",\", texts)", "string ?" }, { "tolist(texts)[0]", "?" }, { "jsonencode(texts)", "string ?" }, { "reverse(texts)", "?" },
  { "concat(texts, [1])", '["b", "a", 1]?' }, { "slice(texts, 0, 1)", '["b"]?' }, { "element(texts, 3)", '"a"' },
  { 'index(texts, "a")', "1" },
  { 'texts == ["b", "a"]', "bool ?" }, { 'texts == ["b"]', "false" }, { "texts == []", "false" }, { 'texts == ["x", "y"]', "false" },
  { 'texts == toset(["b"])', "bool ?" }, { "texts == {}", "false" }, { 'texts == "b"', "false" }, { "texts == null", "false" },
  { "true ? texts : []", '["b", "a"]?' }, { 'true ? texts : ["z"]', '["b", "a"]?' }, { 'false ? texts : ["z"]', '["z"]?' },
  { "true ? texts : [1]", "?" }, { 'true ? texts : "x"' }, { "true ? texts : {}" }, { "true ? texts : o" }, { "upper(texts)" },
  { "texts + 1" },
  { "sorted[*]", '["a", "b"]?' }, { "[for t in sorted : t]", '["a", "b"]' }, { "[for k, t in sorted : t]", "?" },
  { "join(\",\", sorted)", '"a,b"' }, { "tolist(sorted)[0]", '"a"' }, { "jsonencode({ a = sorted })", [["{\"a\":[\"a\",\"b\"]}"]] },
  { "reverse(sorted)", '["b", "a"]?' }, { 'sorted == ["a", "b"]', "bool ?" }, { "max(sorted...)" },
  { "setunion(texts, sorted)", '["a", "b"]' },
  { "length(again)", "number ?>=1" }, { "sum(again)", "?" }, { "again[1]", "2" }, { "max(mixed...)", "9" },
  { "again == [2, 2]", "bool ?" }, { "again == [2]", "false" },
  { "list[*]", '["b", "a"]?' }, { "[for k, t in list : k]", "[0, 1]" }, { "join(\",\", list)", '"b,a"' }, { "try(list[0], 1)", '"b"' },
  { 'list == ["b", "a"]', "bool ?" }, { "flatten([sorted, [sorted]])", '["a", "b", "a", "b"]' }, { "flatten([texts])", "?" },
  { "listed[0].port", "22" }, { "listed.port" }, { "length(listed)", "1" }, { "listed[*].port", "[22]?" },
  { "one(listed).port", "sensitive:22" },
  { "can(listed[0].zz)", "bool ?" }, { "convert(listed, object({ port = number }))" },
}

describe("core.as_written", function()
  local core = require "hclexpr.core"
  local made = { core.as_written, core.as_data }

  it("returns a Value without open parts itself", function()
    for _, make in ipairs(made) do
      for _, v in ipairs { hcl.value "a", hcl.value(hcl.null), hcl.value { a = { 1, { b = hcl.sensitive "c" } } }, hcl.unknown "string" } do
        assert.is_true(rawequal(v, make(v)))
      end
    end
  end)

  it("returns another one for open parts, at any depth", function()
    local object = hcl.value { a = { 1, { b = open { c = "d" } } } }
    local written = core.as_written(object)
    assert.is_false(rawequal(object, written))
    assert.is_true(written == hcl.value { a = { 1, { b = { c = "d" } } } })
    assert.is_false(rawequal(variables.texts, core.as_written(variables.texts)))
  end)
end)

describe("a sequence of any kind", function()
  for _, row in ipairs(SEQUENCES) do
    it("in " .. row[1], function()
      if row[2] then return assert.equal(row[2], shown(value_of(row[1]))) end
      assert.is_nil((hcl.eval(row[1], variables)))
    end)
  end

  it("says which form its items have", function()
    assert.equal("sequence", variables.texts:refinements().form)
    assert.equal("list", variables.list:refinements().form)
    assert.equal("blocks", variables.two:refinements().form)
    assert.not_equal(variables.texts, variables.list)
    assert.has_error(function() hcl.unknown("any", { items = { 1 }, form = "tuple" }) end)
  end)
end)

describe("blocks", function()
  for _, row in ipairs(BLOCKS) do
    it("in " .. row[1], function() assert.equal(row[2], shown(value_of(row[1]))) end)
  end

  it("consist of at least one, and are shown", function()
    local rest = "\n    # (others known after apply)\n  },\n"
    assert.equal('[\n  {\n    "port" = 22' .. rest .. '  {\n    "port" = 80' .. rest .. "]", tostring(variables.two))
    assert.equal(2, #variables.two:refinements().items)
    assert.equal("80", tostring(variables.two:get(1):get "port"))
    assert.has_error(function() hcl.unknown("any", { items = {} }) end)
    assert.has_error(function() hcl.unknown("any", { items = hcl.array {} }) end)
  end)
end)

describe("the length of two blocks", function()
  for i, pair in ipairs(PAIRS) do
    it("is known if they surely differ: pair " .. i, function()
      local blocks = hcl.unknown("any", { items = { open { a = pair[1] }, open { a = pair[2] } } })
      local length = hcl.assert(hcl.assert(hcl.compile "length(b)"):value { b = blocks }):unmark()
      assert.equal(pair[3] == true, length:is_known())
    end)
  end
end)

describe("an open object", function()
  for _, row in ipairs(TABLE) do
    it("in " .. row[1], function() assert.equal(row[2], shown(value_of(row[1]))) end)
  end

  it("is nothing but an object or a map", function()
    for _, source in ipairs { '"${o}."', "o ? 1 : 2", "!o", "o + 1", "[1][o]", "{ (o) = 1 }", "upper(o)", "tolist(o)", "true ? o : 1",
      "tostring(o)", "[for v in [1] : v if o]", "{ for v in [1] : o => v }", "convert(o, object({ a = number }))",
      "convert(o, map(bool))", "o[null]" } do
      assert.is_nil((hcl.eval(source, variables)), source)
    end
  end)

  it("is made from attributes of all kinds, and lists them", function()
    local v = open { a = 1, b = { c = { hcl.unknown "string" } } }
    assert.equal("any", tostring(v:type()))
    assert.is_false(v:is_known())
    assert.is_false(v:is_null())
    assert.is_true(v:refinements().not_null)
    assert.equal(1, v:refinements().attributes:get "a":lua())
    assert.equal(1, v:get "a":lua())
    assert.is_nil(v:get "zz")
    assert.equal("{  }?", shown(open {}))
    assert.equal(open { a = 1 }, open { a = 1 })
    assert.not_equal(open { a = 1 }, open { a = 2 })
    assert.not_equal(open { a = 1 }, hcl.unknown "any")
    assert.same({ "data.type" }, support.codes(hcl.unknown("any", { attributes = { a = print } })))
    for _, wrong in ipairs { "text", 5, { 1 } } do
      assert.has_error(function() hcl.unknown("any", { attributes = wrong }) end)
    end
    assert.has_error(function() hcl.unknown("string", { attributes = {} }) end)
  end)

  it("is shown with its known parts, if they may be shown", function()
    local v = open { a = 1, s = hcl.sensitive "hush" }
    assert.equal('{\n  "a" = 1\n  "s" = (sensitive value)\n  # (others known after apply)\n}', tostring(v))
    assert.equal("(known after apply)", tostring(open {}))
    assert.equal("(sensitive value)", tostring(hcl.sensitive(v)))
    local names = {}
    for name, part in v:pairs() do names[#names + 1] = name .. "=" .. tostring(part) end
    assert.same({ "a=1", "s=(sensitive value)" }, names)
    assert.has_error(function() return #v end)
    assert.has_error(function() return hcl.sensitive(v):refinements() end)
    local _, err = hcl.eval("o.a + o", { o = v })
    assert.truthy(err[1].detail:find("this is an object that is not wholly known", 1, true), err[1].detail)
  end)

  it("obeys its rules", function()
    local found = {}
    fuzz.run(support.sample(600, 2000), 1, function(seed, source, why)
      found[#found + 1] = ("seed %d: %s: %s"):format(seed, source, why)
    end)
    assert.same({}, found)
  end)
end)
