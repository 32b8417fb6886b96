-- Loops over Lua tables, which are read 64 rows at a time: compared with plain Lua, around the ends of each batch, with every
-- kind of value in a row.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"

local COUNTS = { 1, 2, 63, 64, 65, 127, 128, 129, 300 }

local function plain(list)
  local out = {}
  for i = 1, #list do out[i] = list[i] end
  return out
end

local function eval(source, variables, scope)
  return plain(hcl.assert(hcl.eval(source, variables, scope)))
end

-- Texts that are their own normal form, except for one: as Lua strings, and in the language. UAX #15: e and U+0301 are U+00E9.
local TEXTS = {
  function(i) return ("x"):rep(i % 41) end,
  function(i) return ("%d: \195\169"):format(i) end,
  function(i) return "\226\130\172" .. ("y"):rep(i % 17) end,
  function(i) return i .. "e\204\129", characters and i .. "\195\169" or nil end,
  function(i) return "item " .. i end,
}

local function row(i)
  local name, expected = TEXTS[i % #TEXTS + 1](i)
  return { name = name, n = i % 3 == 0 and i / 4 or i - 150, on = i % 2 == 0, deep = { id = { i, "id" .. i } } }, expected or name
end

local function rows(n)
  local list, names = {}, {}
  for i = 1, n do list[i], names[i] = row(i) end
  return list, names
end

local function column(list, read)
  local out = {}
  for i, r in ipairs(list) do out[#out + 1] = read(r, i) end
  return out
end

it("a loop may read more of each element than there are columns", function()
  local many, sum = {}, {}
  for i = 1, 1100 do
    many["a" .. i] = i
    sum[i] = "x.a" .. i
  end
  local source = "[for x in l : " .. table.concat(sum, " + ") .. "]"
  assert.same({ 605550, 605550 }, eval(source, { l = { many, many } }))
  assert.same({ 605550, 605550 }, eval(source, { l = hcl.value { many, many } }))
end)

for _, n in ipairs(COUNTS) do
  it(("columns of %d rows are what plain Lua reads"):format(n), function()
    local list, names = rows(n)
    local v = { l = list, names = names }
    assert.same(names, eval("l[*].name", v))
    assert.same(names, eval("[for x in l : x.name]", v))
    assert.same(names, eval("[for x in names : x]", v))
    assert.same(column(list, function(r) return r.n end), eval("[for x in l : x.n]", v))
    assert.same(column(list, function(r) return r.on end), eval("l[*].on", v))
    assert.same(column(list, function(_, i) return "id" .. i end), eval("l[*].deep.id[1]", v))
    assert.same(column(list, function(r, i) return r.on and names[i] or nil end), eval("[for x in l : x.name if x.on]", v))
    assert.same(column(list, function(_, i) return names[i] .. "-" .. i end),
      eval('[for i, x in l : "${x.name}-${x.deep.id[0]}" if x.name != null || x.n > i]', v))
  end)
end

it("lazy values, Values and nulls may be rows", function()
  local list, names = rows(200)
  for i = 7, 200, 7 do
    local r = list[i]
    list[i] = hcl.lazy(function() return r end)
  end
  for i = 5, 200, 35 do
    local name = list[i].name
    list[i].name = hcl.lazy(function() return name end)
  end
  for i = 4, 200, 35 do list[i] = hcl.value(list[i]) end
  list[64].name, names[64] = hcl.null, hcl.null
  list[65].name, names[65] = hcl.value "seen", "seen"
  assert.same(names, eval("l[*].name", { l = list }))
  assert.same(names, eval("[for x in l : x.name]", { l = list }))
  local null = {}
  list[66].name, list[67], names[66] = null, { name = null }, null
  names[67] = null
  local scope = hcl.scope { convert = { null = null } }
  names[64] = null
  list[64].name = null
  assert.same(names, eval("l[*].name", { l = list }, scope))
end)

it("rows and tables in them may be read whole", function()
  local list = {}
  for i = 1, 130 do list[i] = { id = i } end
  local out = eval("[for x in l : x]", { l = list })
  assert.equal(130, #out)
  for i = 1, 130 do assert.same({ id = i }, out[i]) end
  local nested = {}
  for i = 1, 130 do nested[i] = { t = { i, { k = "v" .. i } } } end
  out = eval("l[*].t", { l = nested })
  for i = 1, 130 do
    assert.equal(i, out[i][1])
    assert.same({ k = "v" .. i }, out[i][2])
  end
end)

it("numbers of every kind are exact", function()
  local list = { 0, -1, 0.5, 1e15, 2 ^ 53 - 1, -(2 ^ 53 - 1), 2 ^ 53, -2 ^ 53, 2 ^ 60, 1e300, 0.1, 123456789.25 }
  -- Each becomes its shortest decimal.
  local texts = { "0", "-1", "0.5", "1000000000000000", "9007199254740991", "-9007199254740991", "9007199254740992",
    "-9007199254740992", "1152921504606847000", ("1" .. ("0"):rep(300)), "0.1", "123456789.25" }
  assert.same(texts, eval("[for x in l : tostring(x)]", { l = list }))
  if math.type then
    local most = math.maxinteger
    list = { most, most - 1, math.mininteger, 9007199254740993, 9007199254740993.0 }
    texts = { "9223372036854775807", "9223372036854775806", "-9223372036854775808", "9007199254740993", "9007199254740992" }
    assert.same(texts, eval("[for x in l : tostring(x)]", { l = list }))
  end
end)

it("arrays that Lua doesn't keep in order are read in order", function()
  local list, expected = {}, {}
  for i = 200, 1, -1 do list[i] = { name = "n" .. i } end
  for i = 1, 200 do expected[i] = "n" .. i end
  assert.same(expected, eval("l[*].name", { l = list }))
  local few = { [3] = 30, [2] = 20, [1] = 10 }
  assert.same({ 10, 20, 30 }, eval("[for x in l : x]", { l = few }))
end)

-- A table of numbers that once contained texts: Lua iterates over it in another order.
local function scattered(n, draw)
  for _ = 1, 1000 do
    local t, texts = {}, {}
    for _ = 1, 2 * n do
      texts[#texts + 1] = "t" .. draw(1000)
      t[texts[#texts]] = true
    end
    for i = n, 1, -1 do t[i] = { name = "n" .. i } end
    for _, text in ipairs(texts) do t[text] = nil end
    local last, ordered = 0, true
    for i in pairs(t) do
      ordered = ordered and i == last + 1
      last = i
    end
    if not ordered and #t == n then return t end
  end
end

it("arrays that Lua iterates in another order are read in order, and tables that aren't arrays are found", function()
  local draw, tried = support.random(3), 0
  for _ = 1, 12 do
    for _, n in ipairs { 2, 3, 5, 8, 20, 63, 64, 65, 130 } do
      local t, expected = scattered(n, draw), {}
      for i = 1, n do expected[i] = "n" .. i end
      for _, source in ipairs(t and { "l[*].name", "[for x in l : x.name]" } or {}) do
        for i = 1, n do t[i].ill = "\255" end -- it isn't needed
        assert.same(expected, eval(source, { l = t }))
        for i = 1, n do t[i].ill = nil end
        for _, key in ipairs { "a", "2", 1.5, 0, -1, true } do
          t[key] = {}
          assert.equal("data.keys", support.code(hcl.eval(source, { l = t })), source .. " " .. tostring(key))
          t[key] = nil
        end
        tried = tried + 1
      end
    end
  end
  assert.is_true(tried > 4, tried .. " tried")
end)

it("splats fail in the same way over Lua tables and Values", function()
  for _, steps in ipairs { "[*].a", "[*][*].a", "[*][*][0]", "[*][*].a.b", "[*][0].a", "[*].a[null]", "[*][*]" } do
    local expression = hcl.assert(hcl.compile('join(",", l' .. steps .. ")"))
    for _, list in ipairs { { "a", "b" }, { "a", { a = 1 } }, { { a = { b = 1 } }, "a", { a = 1 } } } do
      local _, over_table = expression:eval { l = list }
      local _, over_value = expression:eval { l = hcl.value(list) }
      assert.equal(tostring(over_value), tostring(over_table), steps)
    end
  end
end)

describe("an error in a row is found", function()
  local function fails(code, source, change)
    local list = rows(200)
    change(list)
    local v, err = hcl.eval(source, { l = list })
    assert.is_nil(v)
    assert.equal(code, err[1].code)
    return err[1].detail
  end

  it("if it is reached", function()
    local ill = "\255"
    assert.truthy(fails("data.text", "l[*].name", function(l) l[130].name = ill end):find("l[129].name", 1, true))
    assert.truthy(fails("data.text", "[for x in l : x.name]", function(l) l[64].name = "long enough for a word " .. ill end)
      :find("l[63].name", 1, true))
    local list = rows(200)
    list[130].name = ill
    list[131].n = 0 / 0
    assert.equal(200, #eval("l[*].on", { l = list }))
    assert.equal(199, #eval("[for x in l : x.on ? x.name : x.name if x.deep.id[0] != 130]", { l = list }))
  end)

  it("as a missing key", function()
    for _, i in ipairs { 1, 64, 65, 200 } do
      fails("reference.attribute", "l[*].name", function(l) l[i].name = nil end)
      fails("reference.attribute", "[for x in l : x.deep.id]", function(l) l[i].deep = { x = 1 } end)
    end
  end)

  it("as invalid keys of an array", function()
    for _, source in ipairs { "l[*].name", "[for x in l : x.n]" } do
      fails("data.keys", source, function(l) l.other = {} end)
      fails("data.keys", source, function(l) l[1.5] = {} end)
      fails("data.keys", source, function(l) l["2"] = {} end)
    end
  end)

  it("as a key of a table in two Unicode forms", function()
    if not characters then return pending "no utf8proc" end
    local twice = { ["\195\169"] = 1, ["e\204\129"] = 2 }
    for _, source in ipairs { "[for k, x in t : k]", "[for x in t : 1]", "length(t)", "keys(t)" } do
      local v, err = hcl.eval(source, { t = twice })
      assert.is_nil(v, source)
      assert.equal("data.keys", err[1].code, source)
    end
    assert.is_false(hcl.eval("can(length(t)) || can(length(t))", { t = twice }))
  end)
end)

it("elements that a function removes meanwhile are reported by name", function()
  local object = {}
  for i, x in ipairs(rows(100)) do object["k" .. i] = x end
  for name, data in pairs { array = rows(100), object = object } do
    local scope = hcl.scope { functions = { clear = function()
      for key in pairs(data) do data[key] = nil end
      return 1
    end } }
    local _, err = hcl.eval("[for x in t : [clear(), x]]", { t = data }, scope)
    assert.equal("data.type", err[1].code)
    assert.truthy(err[1].detail:find("^t[%.%[]%w+%]?: The element is gone"), name .. ": " .. err[1].detail)
  end
end)

it("a Lazy accepts no fields, so that it is never a row itself", function()
  local lazy = hcl.lazy(function() return { name = "answer" } end)
  assert.error_matches(function() lazy.name = "field" end, "no fields")
  assert.same({ "answer" }, eval("l[*].name", { l = { lazy } }))
end)

describe("steps", function()
  -- The fewest steps that an evaluation needs.
  local function steps(source, variables)
    local low, high = 0, 100000
    while high - low > 1 do
      local middle = math.floor((low + high) / 2)
      local v, err = hcl.eval(source, variables, hcl.scope { limits = { steps = middle } })
      if v ~= nil then high = middle
      else
        assert.equal("limit.steps", err[1].code)
        low = middle
      end
    end
    return high
  end

  it("are those of the instructions, for any way of reading rows", function()
    for _, source in ipairs { "l[*].name", "[for x in l : x.name]" } do
      for _, n in ipairs { 64, 65, 200 } do
        local list = rows(n)
        for i = 1, n do list[i].name = "item " .. i end -- normalizing texts takes additional steps
        local count = steps(source, { l = list })
        for i = 1, n do list[i].name = hcl.value(list[i].name) end
        assert.equal(count, steps(source, { l = list }))
        -- The same code except for a `fetch rows` for every 64 of them, and a table that is known already.
        assert.equal(count - math.ceil(n / 64), steps(source, { l = hcl.value(list) }))
        -- An element is the column and its place in the result.
        list[n + 1] = list[n]
        local more = n % 64 == 0 and 3 or 2
        assert.equal(count + more, steps(source, { l = list }))
      end
    end
  end)
end)

-- api.md: "Lazy by path": only the end of a path is converted, so errors in data appear only if a path reaches them.
describe("A path that ends in a Lua table", function()
  local function fail(source, variables)
    local v, err = hcl.eval(source, variables)
    assert.is_nil(v)
    return err[1]
  end

  it("reports what is missing, whatever is beside it", function()
    local called = 0
    local beside = { name = 1, f = print, bad = "\255", lazy = hcl.lazy(function() called = called + 1 return 1 end) }
    local d = fail("var.nmae", { var = beside })
    assert.equal("reference.attribute", d.code)
    assert.truthy(d.detail:find('"name"', 1, true))
    assert.equal("reference.index", fail('var["n"]', { var = beside }).code)
    assert.equal(0, called)
    d = fail("var.list[3]", { var = { list = { print, "\255", {} } } })
    assert.equal("reference.index", d.code)
    assert.truthy(d.detail:find("index 2", 1, true))
    assert.same({ path = "var.list", text = "tuple with 3 elements" }, d.values[1])
  end)

  it("finds a key in another form than its normal one", function()
    if not characters then return pending "no utf8proc" end
    local kelvin, angstrom = "\226\132\170", "A\204\138" -- UAX #15: U+212A is K, and A with U+030A is U+00C5
    assert.equal(1, hcl.eval("var.K", { var = { [kelvin] = 1, f = "" } }))
    assert.equal(2, hcl.eval("var.\195\133", { var = { [angstrom] = 2 } }))
    assert.equal(3, hcl.eval("var." .. angstrom, { var = { ["\195\133"] = 3 } }))
    assert.equal("number.5", hcl.eval("var[5]", { var = { ["5"] = "number.5" } }))
  end)

  it("finds errors in the table itself", function()
    assert.equal("data.keys", fail("var.x", { var = { a = 1, [true] = 2 } }).code)
  end)
end)
