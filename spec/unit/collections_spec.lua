-- Functions over large collections, compared with the same in plain Lua: sorting and hashing use other algorithms for more data.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"
local distinct, random = support.distinct, support.random(1)

-- Texts of several kinds: short, with shared prefixes, with one prefix that is long, sorted, in sorted pieces.
local KINDS = {
  function() return string.char(96 + random(26)) end,
  function(i) return ("item %d"):format(i * 7919 % 1000) end,
  function() return ("subnet-"):rep(random(6)) .. random(300) end,
  function() return ("x"):rep(random(60)) end,
  function() return ("long "):rep(200) .. random(50) end,
  function(i) return ("%06d"):format(i) end,
  function(i) return ("%06d"):format(i % 500) end,
}

local function texts(kind, n)
  local out = {}
  for i = 1, n do out[i] = KINDS[kind](i) end
  return out
end

local function sorted(list)
  local out = {}
  for i, x in ipairs(list) do out[i] = x end
  table.sort(out)
  return out
end

local function chosen(a, b, wanted)
  local there, out = {}, {}
  for _, x in ipairs(b) do there[x] = true end
  for _, x in ipairs(sorted(distinct(a))) do
    if (there[x] or false) == wanted then out[#out + 1] = x end
  end
  return out
end

local function joined(a, b)
  local out = {}
  for _, x in ipairs(a) do out[#out + 1] = x end
  for _, x in ipairs(b) do out[#out + 1] = x end
  return out
end

local function plain(list)
  local out = {}
  for i = 1, #list do out[i] = list[i] end
  return out
end

local function eval(source, variables)
  return plain(hcl.assert(hcl.eval(source, variables)))
end

for kind = 1, #KINDS do
  for _, n in ipairs { 0, 1, 12, 13, 100, 3000 } do
    it(("agree with plain Lua: texts of kind %d, %d of them"):format(kind, n), function()
      local a, b = hcl.array(texts(kind, n)), hcl.array(texts(kind, n + 7))
      assert.same(sorted(a), eval("sort(a)", { a = a }))
      assert.same(sorted(distinct(a)), eval("toset(a)", { a = a }))
      assert.same(distinct(a), eval("distinct(a)", { a = a }))
      assert.same(sorted(distinct(joined(a, b))), eval("setunion(a, b)", { a = a, b = b }))
      assert.same(sorted(distinct(joined(a, b))), eval("setunion(b, [], a, slice(b, 0, 3))", { a = a, b = b }))
      assert.same(chosen(a, b, true), eval("setintersection(a, b)", { a = a, b = b }))
      assert.same(chosen(a, b, false), eval("setsubtract(a, b)", { a = a, b = b }))
      assert.same(sorted(distinct(a)), eval("keys(zipmap(a, a))", { a = a }))
      assert.same(sorted(distinct(joined(a, b))), eval("values(merge(zipmap(a, a), {}, zipmap(b, b)))",
        { a = a, b = b }))
    end)
  end
end

-- Every way of sorting: few texts, texts that a short key distinguishes or doesn't, texts that continue after it, so many that they are
-- prefetched. Characters are of one to four bytes, and none of them combines with another.
local ALPHABETS = {
  { "a", "b" }, { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" }, { "\0", "\127", "\195\169", "\230\151\165", "\240\159\152\128", "z" },
}

-- By bytes, whatever the locale.
local function stands_before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = a:byte(i), b:byte(i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

local function random_texts(alphabet, prefix, most, n)
  local out = {}
  for i = 1, n do
    local parts = { prefix }
    for k = 1, random(most + 1) - 1 do parts[k + 1] = alphabet[random(#alphabet)] end
    out[i] = table.concat(parts)
  end
  return out
end

local function check_order(list)
  local ordered = {}
  for i, x in ipairs(list) do ordered[i] = x end
  table.sort(ordered, stands_before)
  local v = { l = hcl.assert(hcl.value(hcl.array(list), "list(string)")) }
  assert.same(ordered, eval("sort(l)", v))
  assert.same(distinct(ordered), eval("toset(l)", v))
  assert.same(distinct(ordered), eval("keys(zipmap(l, l))", v))
  assert.same(distinct(list), eval("distinct(l)", v))
end

for _, most in ipairs { 1, 5, 20 } do
  for _, prefix in ipairs { "", "p", "seven b", "sixteen bytes: ab" } do
    it(("order texts of up to %d characters after %q"):format(most, prefix), function()
      for _, alphabet in ipairs(ALPHABETS) do
        for _, n in ipairs { 0, 1, 2, 12, 13, 30, 200, 1500 } do check_order(random_texts(alphabet, prefix, most, n)) end
      end
    end)
  end
end

-- The different one is mostly not among the first few that are compared.
it("order texts with any number of bytes in common, in all of them or all but one", function()
  local letters = "abcdefghijklmnopqrstuvwx"
  for common = 1, #letters do
    local prefix = letters:sub(1, common)
    local list = random_texts(ALPHABETS[2], prefix, 3, 300)
    check_order(list)
    local at, place = random(#list), random(common)
    for _, other in ipairs { prefix:sub(1, place - 1), prefix:sub(1, place - 1) .. "~" .. list[at]:sub(place + 1) } do
      list[at] = other
      check_order(list)
    end
  end
end)

it("order many texts", function()
  for k, alphabet in ipairs(ALPHABETS) do check_order(random_texts(alphabet, "item ", 3 * k, k == 1 and 5000 or 12000)) end
end)

-- The same functions on Values, which are in order in memory, and on results of the functions themselves.
it("agree with plain Lua on large Values", function()
  local list, more = texts(3, 3000), texts(3, 2000)
  local v = {
    l = hcl.value(list, "list(string)"), m = hcl.value(more, "list(string)"),
    s = hcl.value(list, "set(string)"), t = hcl.value(more, "set(string)"),
  }
  assert.same(sorted(distinct(list)), eval("s", v))
  assert.same(sorted(distinct(joined(list, more))), eval("setunion(s, t)", v))
  assert.same(sorted(distinct(joined(list, more))), eval("setunion(s, [], toset(l), toset(m))", v))
  assert.same(chosen(list, more, true), eval("setintersection(s, t)", v))
  assert.same(chosen(list, more, false), eval("setsubtract(s, t)", v))
  assert.same(joined(list, more), eval("concat(l, [], m)", v))
  assert.same(list, eval("concat(l, [])", v))
  assert.same(list, eval("compact(l)", v))
  assert.same(joined(list, more), eval("compact(concat(l, [\"\", null], m))", v))
  assert.same(joined(list, more), eval("flatten([l, [m]])", v))
  assert.same(joined(list, joined(more, { "x" })), eval("flatten([[[l], [], m], \"x\"])", v))
end)

-- The number of elements is estimated from every nth list.
it("flatten lists of all lengths", function()
  for _, n in ipairs { 1, 63, 64, 65, 200, 1000 } do
    for every = 1, 17, 4 do
      local lists, want = {}, {}
      for i = 1, n do
        local list = {}
        for k = 1, i % every == 0 and i % 13 or 0 do list[k] = ("%d.%d"):format(i, k) end
        lists[i] = i % 50 == 7 and i or i % 50 == 8 and { hcl.array(list) } or hcl.array(list)
        for _, x in ipairs(i % 50 == 7 and { i } or list) do want[#want + 1] = x end
      end
      assert.same(want, eval("flatten(a)", { a = lists }))
      assert.same(want, eval("flatten(a)", { a = hcl.value(lists) }))
    end
  end
end)

it("contains and index find the first equal element, which is of the same type", function()
  local list = { 5, "a", true, "5", "aa", "5", 6 }
  for _, v in ipairs { { a = list }, { a = hcl.value(list) } } do
    local source = '[contains(a, "5"), contains(a, 5), contains(a, "6"), contains(a, "true"), contains(a, ""), contains([], "")]'
    assert.same({ true, true, false, false, false, false }, eval(source, v))
    assert.same({ 3, 0, 4, 1 }, eval('[index(a, "5"), index(a, 5), index(a, "aa"), index(a, "a")]', v))
    assert.is_nil((hcl.eval('index(a, "6")', v)))
  end
  assert.same({ true, false, 2 },
    eval('[contains(["a", null, "b"], "b"), contains(["a", null], "b"), index(["a", null, "b"], "b")]', {}))
end)

describe("arrays of strings", function()
  -- Lists a little shorter and longer than one batch of reading, with another value at each position.
  local SOMETHING = { 7, true, hcl.null, { "in" }, { key = "in" } }

  it("are read with any other values in between", function()
    for n = 14, 35 do
      local list = texts(1, n)
      assert.same(list, eval("a", { a = list }))
      for at = 1, n do
        local x = SOMETHING[at % #SOMETHING + 1]
        local t, want = texts(1, n), {}
        t[at] = x
        for i = 1, n do want[i] = t[i] end
        local got = eval("a", { a = t })
        if type(x) == "table" then
          assert.same(x[1] or x.key, got[at][1] or got[at].key)
          got[at], want[at] = nil, nil
        end
        assert.same(want, got)
      end
    end
  end)

  it("are read if the table isn't a plain array", function()
    for n = 16, 40, 8 do
      local backwards = {}
      for i = n, 1, -1 do backwards[i] = "x" .. i end
      assert.same("x" .. n, eval("a", { a = backwards })[n])
      local named = texts(1, n)
      named.key = "x"
      local _, diags = hcl.eval("a", { a = named })
      assert.equal("data.keys", diags[1].code)
      local bad = texts(1, n)
      bad[n - 1] = "\255"
      _, diags = hcl.eval("a", { a = bad })
      assert.equal("data.text", diags[1].code)
      assert.truthy(diags[1].detail:find(("a[%d]"):format(n - 2), 1, true))
    end
  end)
end)

describe("maps", function()
  local function object(n, step, shift)
    local t = {}
    for i = 1, n do t[("key %d"):format(i * step)] = i + shift end
    return t
  end
  local function merged(...)
    local t = {}
    for _, other in ipairs { ... } do
      for k, x in pairs(other) do t[k] = x end
    end
    return t
  end
  local function all(t)
    local out = {}
    for k, x in pairs(t) do out[k] = x end
    return out
  end
  local function merge(source, v)
    return all(hcl.assert(hcl.eval(source, v)))
  end

  -- Small and large ones; tables with room for more keys, and without (half of 32,768 may be used).
  for _, n in ipairs { 1, 8, 9, 63, 64, 65, 500, 3000, 16000 } do
    it(("of %d keys: what comes later replaces what came before"):format(n), function()
      local a, b, c = object(n, 1, 0), object(math.ceil(n / 2), 2, 0.5), { ["key 1"] = "c", other = "c" }
      for _, v in ipairs { { a = a, b = b, c = c }, { a = hcl.value(a), b = hcl.value(b), c = hcl.value(c) } } do
        assert.same(merged(a, b), merge("merge(a, b)", v))
        assert.same(merged(b, a), merge("merge(b, a)", v))
        assert.same(merged(c, a, b), merge("merge(c, a, b)", v))
        assert.same(merged(c, b, a, c), merge("merge(c, b, a, c)", v))
        assert.same(merged(a, c), merge("merge(a, c, {}, null)", v))
        assert.same(a, merge("merge({}, a, {})", v))
      end
    end)
  end

  it("with the same keys", function()
    local a, v = object(500, 1, 0), { a = hcl.value(object(500, 1, 0)) }
    local twice = {}
    for k, x in pairs(a) do twice[k] = 2 * x end
    v.b = hcl.assert(hcl.eval("{ for k, x in a : k => 2 * x }", v))
    assert.same(twice, merge("merge(a, b)", v))
    assert.same(a, merge("merge(b, a)", v))
    assert.same(a, merge("merge(a, a)", v))
    assert.same(merged(a, { other = 1 }), merge("merge(a, { other = 1, \"key 1\" = 7 }, a)", v))
    assert.same(merged(a, { ["key 1"] = 7 }), merge("merge(a, { \"key 1\" = 7 })", v))
    assert.same(merged(a, { other = 2 }), merge("merge({ other = 1 }, { other = 2, \"key 1\" = 7 }, a)", v))
  end)

  it("that only replace values share their keys, and don't change", function()
    local t = object(500, 1, 0)
    for _, a in ipairs { t, hcl.value(t) } do
      local got = hcl.assert(hcl.eval([[{
        a = a, b = merge(a, { "key 1" = "b" }), c = merge(merge(a, { "key 1" = "b" }), { more = "c" }),
        d = merge(merge(a, { "key 2" = "d" }), { "key 1" = "b" }, { "key 3" = "e" }),
        keys = keys(merge(a, { "key 1" = "b" })), length = length(merge(merge(a, { "key 1" = 1 }), { x = 1, y = 2 })),
      }]], { a = a }))
      assert.same(t, all(got.a))
      assert.same(merged(t, { ["key 1"] = "b" }), all(got.b))
      assert.same(merged(t, { ["key 1"] = "b", more = "c" }), all(got.c))
      assert.same(merged(t, { ["key 1"] = "b", ["key 2"] = "d", ["key 3"] = "e" }), all(got.d))
      local keys = {}
      for k in pairs(t) do keys[#keys + 1] = k end
      table.sort(keys)
      assert.same(keys, plain(got.keys))
      assert.equal(502, got.length)
    end
  end)

  it("of keys and values: the last value of a key counts", function()
    for _, n in ipairs { 5, 8, 9, 100, 3000 } do
      for _, twice in ipairs { 1, 2, math.floor(n / 2), n } do
        local keys, values, want = {}, {}, {}
        for i = 1, n do keys[i], values[i] = "key " .. i, i end
        keys[n] = keys[twice]
        for i = 1, n do want[keys[i]] = values[i] end
        assert.same(want, merge("zipmap(k, v)", { k = keys, v = values }))
        assert.same(want, merge("zipmap(k, v)", { k = keys, v = hcl.value(values, "list(number)") }))
      end
    end
  end)

  it("have keys and values in order", function()
    local a = object(3000, 7, 0)
    local keys, values = {}, {}
    for k in pairs(a) do keys[#keys + 1] = k end
    table.sort(keys)
    for i, k in ipairs(keys) do values[i] = a[k] end
    for _, v in ipairs { { a = a }, { a = hcl.value(a) }, { a = hcl.value(a, "map(number)") } } do
      assert.same(keys, eval("keys(a)", v))
      assert.same(values, eval("values(a)", v))
      assert.same(values, eval("[for x in a : x]", v))
    end
  end)
end)

describe("numbers", function()
  local list, other = {}, {}
  for i = 1, 2000 do
    list[i] = random(3000) - 1500
    other[i] = i % 3 == 0 and random(3000) - 1500 or random(3000) / 4
  end

  it("are sorted as numbers in sets", function()
    assert.same(sorted(distinct(list)), eval("toset(a)", { a = list }))
    assert.same(sorted(distinct(other)), eval("toset(a)", { a = other }))
  end)

  it("are sorted by whichever bits they differ in", function()
    for _, bits in ipairs { { 0 }, { 3, 50 }, { 1, 2, 7, 20, 21, 22, 40 }, { 0, 13, 26, 39, 52 }, { 5, 6, 7, 8, 9, 10, 30, 31, 48 } } do
      for _, n in ipairs { 13, 100, 3000 } do
        local numbers = {}
        for i = 1, n do
          local x = 0
          for _, bit in ipairs(bits) do x = x + (random(2) - 1) * 2 ^ bit end
          numbers[i] = i % 3 == 0 and x > 0 and -x or x
        end
        assert.same(sorted(distinct(numbers)), eval("toset(a)", { a = hcl.array(numbers) }))
      end
    end
  end)

  it("are sorted by all their digits, even within one double and beyond the range of doubles", function()
    local ascending = {
      "-1e500", "-1e400", "-1.5e39", "-2.5", "-1.5", "-1.000000000000000000000002", "-1.000000000000000000000001", "-1",
      "-1e-399", "-1e-400", "0", "1e-400", "1e-399", "0.1", "0.25",
      "1", "1.000000000000000000000001", "1.000000000000000000000002", "1.000000000000000000000003", "1.5",
      "9007199254740992", "9007199254740992.5", "9007199254740993", "9007199254740994", "1.5e39", "1e400", "1e401", "1e500",
    }
    local in_order = "[" .. table.concat(ascending, ", ") .. "]"
    for _ = 1, 5 do
      local shuffled = {}
      for i, x in ipairs(ascending) do table.insert(shuffled, random(i), x) end
      assert.equal(true, hcl.assert(hcl.eval(("tolist(toset([%s])) == tolist(%s)"):format(table.concat(shuffled, ", "), in_order))))
    end
  end)

  it("are found equal after any number of nulls", function()
    for n = 0, 70, 7 do
      local v = { a = {} }
      for i = 1, n do v.a[i] = hcl.null end
      for _, x in ipairs { 0.5, 1.5, 0.5, 1.5 } do v.a[#v.a + 1] = x end
      local null = n > 0 and ",null]" or "]"
      assert.equal("[0.5,1.5" .. null, hcl.assert(hcl.eval("jsonencode(toset(a))", v)))
      assert.equal("[[0.5],[1.5]" .. null, hcl.assert(hcl.eval("jsonencode(toset([for x in a : tolist(x == null ? null : [x])]))", v)))
    end
  end)

  it("are found again, whole or not", function()
    for _, pair in ipairs { { list, other }, { other, list }, { list, list } } do
      local a, b = pair[1], pair[2]
      assert.same(chosen(a, b, true), eval("setintersection(a, b)", { a = a, b = b }))
      assert.same(chosen(a, b, false), eval("setsubtract(a, b)", { a = a, b = b }))
      assert.same(sorted(distinct(joined(a, b))), eval("setunion(a, b)", { a = a, b = b }))
    end
  end)
end)

it("sets of strings combine with a null, an empty set and one of another type", function()
  assert.same({ "a", "b", hcl.null }, eval('setunion(["b", null], ["a"], [])', {}))
  assert.same({ "1", "2" }, eval('setintersection(["2", "1", "3"], [1, 2])', {}))
  assert.same({ hcl.null }, eval('setsubtract(["a", null], ["a"])', {}))
end)

-- For ASCII, Lua's own functions know the cases; they are called in the C locale.
it("upper and lower are Lua's in ASCII, at every length", function()
  local text = ("aZ@[`{zA m-09\127\1"):rep(3)
  for from = 1, 16 do
    for to = from - 1, from + 24 do
      local s = text:sub(from, to)
      assert.same({ s:upper(), s:lower() }, eval("[upper(s), lower(s)]", { s = s }))
      if characters then
        assert.same({ s:upper() .. "\195\137", s:lower() .. "\195\169" }, eval("[upper(s), lower(s)]", { s = s .. "\195\169" }))
      end
    end
  end
end)

-- A set with an unknown element may turn out smaller, so a list made from it is unknown, but its type isn't.
describe("the list of a set with an unknown element", function()
  for source, type in pairs {
    ["convert(toset([1, u]), list(any))"] = "list(number)", ["sort(toset([1, u]))"] = "list(string)",
    -- reference: the type of the set's elements stays
    ["true ? toset([1, u]) : tolist([\"a\"])"] = "list(number)",
    -- within a value whose type differs it doesn't
    ["convert({ a = toset([1, u]) }, map(list(string)))"] = "map(list(string))", ["transpose({ a = toset([1, u]) })"] = "map(list(string))",
  } do
    it("is of a type: " .. source, function()
      local v = hcl.assert(hcl.assert(hcl.compile(source)):value { u = hcl.unknown "number" })
      assert.equal(type, tostring(v:type()))
    end)
  end
end)

-- Terraform's function says: the attribute's type, the map's, or that of the replaced value.
it("lookup in an unknown value has the type of its possible results", function()
  for source, type in pairs {
    ['lookup(o, "b")'] = "bool", ['lookup(o, "b", 1)'] = "bool", ['lookup(o, "a", 1)'] = "number",
    ['lookup(o, "a", [true])'] = "tuple([bool])", ["lookup(o, k, 1)"] = "any",
    ['lookup(m, "a")'] = "number", ['lookup(m, "a", "5")'] = "number", ["lookup(m, k, 1)"] = "number",
  } do
    local variables = { o = hcl.unknown "object({ b = bool })", m = hcl.unknown "map(number)", k = hcl.unknown "string" }
    assert.equal(type, tostring(hcl.assert(hcl.assert(hcl.compile(source)):value(variables)):type()), source)
  end
end)

it("concat names the functions for sets if it gets one, and only then", function()
  for source, is_set in pairs {
    ['concat(toset(["a"]), [])'] = true, ["concat([], setunion([1], [2]))"] = true, ['concat("a")'] = false, ["concat({})"] = false,
  } do
    local _, err = hcl.eval(source)
    assert.equal(is_set, err[1].detail:find("setunion()", 1, true) ~= nil, source)
  end
end)
