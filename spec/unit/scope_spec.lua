-- Scopes: where names and functions are found, callbacks, limits and capabilities.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"
local code = support.code

describe("variables", function()
  it("of the call come before those of the scope, its lookup, then the parent's", function()
    local parent = hcl.scope { variables = { a = "parent", b = "parent", c = "parent", d = "parent" } }
    local scope = hcl.scope {
      parent = parent,
      variables = { a = "scope", b = "scope" },
      lookup = function(ref) if ref.root == "c" then return "lookup" end end,
    }
    assert.same({ "call", "scope", "lookup", "parent" }, hcl.eval("[a, b, c, d]", { a = "call" }, scope))
  end)

  it("in plain tables are live", function()
    local t = { n = 1 }
    local vars = { t = t }
    local scope = hcl.scope { variables = vars }
    local e = hcl.assert(hcl.compile "t.n")
    assert.equal(1, e:eval(nil, scope))
    t.n = 2
    assert.equal(2, e:eval(nil, scope))
    vars.t = { n = 3 }
    assert.equal(3, e:eval(nil, scope))
    vars.late = 4
    assert.equal(4, hcl.eval("late", nil, scope))
  end)

  -- A Lazy is a table with a function at 1: a step by index must not find that.
  -- A glance finds most paths without a guard once their texts are anchored; a look finds those that a glance leaves. If the scope has its
  -- own null neither is possible, and a walk finds all.
  it("give the same at a glance as by a look or a walk", function()
    local lazy = hcl.lazy(function() return { b = { c = 3 }, f = "f" } end)
    local function data()
      return {
        a = { b = { c = 1, list = { 10, 20, { d = "deep" } }, none = hcl.null }, text = "t", yes = true, half = 0.5, big = 2 ^ 60 },
        lazy = lazy, f = function() return { b = { c = 4 } } end, deep = { lazy = lazy, array = hcl.array {} },
        value = hcl.value { b = { c = 5 } }, strange = setmetatable({ b = { c = 6 } }, {}), n = 7, odd = { [2] = "hole" },
        texts = { wide = ("\195\169"):rep(20), open = "e\204\129", long = ("x"):rep(300), most = ("y"):rep(255), none = "" },
        n1 = 1, n2 = 2, n3 = 3, n4 = 4, n5 = 5, n6 = 6, n7 = 7, n8 = 8, n9 = 9, t1 = { x = 1 }, t2 = { x = 2 }, t3 = { x = 3 },
        values = { text = hcl.value "t", n = hcl.value(5), yes = hcl.value(true), list = hcl.value { 1, 2 }, none = hcl.value(hcl.null),
                   object = hcl.value { a = { b = 8 } }, secrets = hcl.value({ 3 }):mark "m", unknown = hcl.unknown "string" },
        bad = { utf8 = "\255", f = print, nan = 0 / 0 }, long = { { { { { { { { { 9 } } } } } } } } },
      }
    end
    local sources = {
      "a.b.c", "a.text", "a.yes", "a.half", "a.big", "a.b.none", "a.b.list[1]", "a.b.list[2].d", "a.b.list[3]", "a.b.list", "a.b", "a",
      "n", "n.b", "a.text.b", "a.b.c.d", "a.x", "a.x.y", "a.b.list.x", "x", "x.y", "lazy", "lazy.b.c", "lazy.f", "lazy[0]", "f.b.c",
      "deep.lazy.b.c", "deep.lazy[0]", "deep.array", "deep.array[0]", "value.b.c", "value.x", "strange.b.c", "strange.x", "odd[1]",
      "odd[0]", "bad.utf8", "bad.f", "bad.nan", "bad", "long[0][0][0][0][0][0][0][0][0]", "a.b.c + n + a.b.list[0]",
      "value.b.c + a.b.c + strange.b.c + a.b.list[1]", "lookup(a, \"text\", 1)", "[for x in a.b.list : x]", "a.b.list[*]",
      'texts.long == "x"', 'texts.most == "y"', "texts.none == a.text", "a.b.c == n ? texts.long : texts.most", "n1 == n7 || a.b.c == 1",
      "n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9 + n1 + n9", "t1.x + n1 + t2.x + n2 + t3.x + n3 + t1.x + a.b.list[0] + a.b.c + t3.x",
      "t1.x + t2.x + lazy.b.c + t1.x", "n1 + n2 + n3 + n4 + n5 + x", "n1 + n2 + n3 + n4 + n5 + t1.x + t1.y",
      "a.b.c + a.b.list[0] + a.b.list[1] + a.b.list[2].x", "a.half * 2 + n", "a.big * a.big", "a.yes && !a.yes", "a.b.none == null",
      "values.text", "values.n", "values.list", "values.list[1]", "values.list[2]", "values.object.a.b", "values.secrets[0]", "values",
      "values.secrets", "values.none", "values.none.x", "values.unknown", "values.text.x", "values.x", "values.yes ? values.object : null",
      "values.n + n + values.n", "[values.list, values.list, values.object]", '"${values.text}${values.n}"', "value",
      "try(a.x, a.text)", "length(a.b.list)", '"${a.text}${n}${a.b.c}"',
    }
    local walks = hcl.scope { convert = { null = setmetatable({}, {}) } }
    for _, source in ipairs(sources) do
      local expression = hcl.assert(hcl.compile(source))
      local function said(...)
        local value, diagnostics = expression:value(...)
        return value and tostring(value), diagnostics and tostring(diagnostics)
      end
      local expected = { said(data(), walks) }
      local given, scope = data(), hcl.scope { variables = data() }
      for _ = 1, 2 do
        assert.same(expected, { said(given) }, source)
        assert.same(expected, { said(nil, scope) }, source)
      end
    end
    if not characters then return end
    for _, source in ipairs { 'texts.wide == "\195\169"', "texts.wide", 'texts.open == "\195\169"' } do
      local expected = tostring(hcl.value(hcl.eval(source, data(), walks)))
      for _ = 1, 2 do assert.equal(expected, tostring(hcl.value(hcl.eval(source, data()))), source) end
    end
  end)

  it("at a glance count as the limits say, and are live", function()
    local t = { text = ("x"):rep(100), n = 1 }
    local same, sum = hcl.assert(hcl.compile 't.text == "y"'), hcl.assert(hcl.compile "t.n + t.n + t.n")
    local function scope(limits) return hcl.scope { variables = { t = t }, limits = limits } end
    local enough, little, steps = scope {}, scope { memory = 90 }, scope { steps = 3 }
    for i = 1, 3 do
      t.n = i
      assert.equal(3 * i, sum:eval(nil, enough))
      assert.equal("limit.steps", code(sum:eval(nil, steps)))
      assert.is_false(same:eval(nil, enough))
      assert.equal("limit.memory", code(same:eval(nil, little)))
    end
    t.n = nil
    assert.equal("reference.attribute", code(sum:eval(nil, enough)))
  end)

  it("are read again after a callback has run", function()
    for _, convert in ipairs { {}, { null = setmetatable({}, {}) } } do
      local variables = { t = { a = 1, b = 2, c = 3 } }
      local scope = hcl.scope { convert = convert, functions = { put = function(n)
        variables.t = { a = n, b = n, c = n }
        return n
      end } }
      assert.equal("1-10-10-20-20", hcl.eval('"${t.a}-${put(10)}-${t.b}-${put(20)}-${t.c}"', variables, scope))
    end
  end)

  it("allow steps past lazy values, Values and metatables, by paths, columns and indexes", function()
    local deep = { leaf = 5 }
    for _ = 1, 20 do deep = { d = deep } end
    local function index() error "metamethods don't run" end
    local data = {
      lazy = hcl.lazy(function() return { 10, { 20, 21 } } end), object = hcl.lazy(function() return { a = { b = 30 } } end),
      meta = setmetatable({ own = setmetatable({ 40 }, { __index = index }) }, { __index = index }), value = hcl.value { { v = 50 } },
      f = function() end, deep = deep, list = { 60, 61 },
    }
    local steps = ("d."):rep(20) .. "leaf"
    local found = {
      ["lazy[0]"] = 10, ["lazy[1][0]"] = 20, ["lazy[1][1]"] = 21, ["object.a.b"] = 30, ["meta.own[0]"] = 40, ["value[0].v"] = 50,
      ["deep." .. steps] = 5, ["list[1]"] = 61,
    }
    local missing = {
      ["lazy[2]"] = "reference.index", ["lazy[1][2]"] = "reference.index", ["object.b"] = "reference.attribute",
      ["meta.own[1]"] = "reference.index", ["meta.other"] = "reference.attribute", ["list[2]"] = "reference.index",
      ["list[99999999999]"] = "reference.index", ["f"] = "data.type", ["f[0]"] = "data.type",
    }
    for _, base in ipairs { "v.%s", "v.v.%s", "[for x in l : x.%s][0]", "[for x in l : x.v.%s][0]", "o[k].%s" } do
      local t = { v = data, l = { data }, o = { here = data }, k = "here" }
      data.v = data
      for source, expected in pairs(found) do
        source = base:format(source)
        assert.equal(expected, hcl.eval(source, t), source)
      end
      for source, expected in pairs(missing) do
        source = base:format(source)
        assert.equal(expected, code(hcl.eval(source, t)), source)
      end
    end
  end)

  it("are distinguished by their names, whatever their values", function()
    local vars = {
      a = { x = 1, y = { z = 10 } }, b = { x = 2 }, ab = { x = 20 }, proxy = setmetatable({ x = 3 }, {}), n = 4,
      lazy = hcl.lazy(function() return { x = 5 } end), f = function() return { x = 6 } end, v = hcl.value { x = 7 },
    }
    local expected = { 1, 20, 2, 3, 4, 5, 6, 7, 10, 1, 3, 20, 2 }
    local e = hcl.assert(hcl.compile "[a.x, ab.x, b.x, proxy.x, n, lazy.x, f.x, v.x, a.y.z, a.x, proxy.x, ab.x, b.x]")
    assert.same(expected, e:eval(vars))
    assert.same(expected, e:eval(nil, hcl.scope { variables = vars }))
    assert.same(expected, e:eval({ a = vars.a, n = 4, f = vars.f }, hcl.scope { variables = vars }))
  end)

  it("are followed to the end of a path", function()
    local t, path = 42, {}
    for i = 30, 1, -1 do
      if i % 3 == 0 then t, path[i] = { 0, t }, "[1]" else t, path[i] = { k = t }, ".k" end
    end
    local source = "t" .. table.concat(path)
    for n = 1, 30 do
      local rest = "t" .. table.concat(path, "", 1, n)
      assert.equal(n == 30 and "number" or "table", type(hcl.eval(rest, { t = t })))
      assert.equal("missing", hcl.eval(("try(%s.nope, 'missing')"):gsub("'", '"'):format(rest), { t = t }))
    end
    assert.equal(42, hcl.eval(source, { t = t }))
    assert.equal(43, hcl.eval(source .. " + try(t.nope, 1)", { t = t }))
  end)

  it("that are bound strings keep their owner", function()
    local scopes, long = {}, ("long"):rep(1000)
    for i = 1, 3 do
      scopes[i] = hcl.scope { variables = { var = hcl.value { s = "s" .. i, t = "t" .. i, long = long .. i, flag = i > 1 } } }
    end
    local e = hcl.assert(hcl.compile "var.flag ? var.s : var.t")
    local plain, text = hcl.assert(hcl.compile "var.long"), hcl.assert(hcl.compile '"${var.s}"')
    local wait = hcl.assert(hcl.compile "[var.s, f(), var.s]")
    for round = 1, 30 do
      local i = round % 3 + 1
      for _ = 1, round % 4 + 1 do
        assert.equal(i > 1 and "s" .. i or "t1", e:eval(nil, scopes[i]))
        assert.equal(long .. i, plain:eval(nil, scopes[i]))
        assert.equal("s" .. i, text:eval(nil, scopes[i]))
        local with = hcl.scope { parent = scopes[i], functions = { f = function()
          local other = scopes[(round + 1) % 3 + 1]
          return text:eval(nil, other) .. e:eval({}, other)
        end } }
        local n = (round + 1) % 3 + 1
        assert.same({ "s" .. i, "s" .. n .. (n > 1 and "s" .. n or "t1"), "s" .. i }, wait:eval(nil, with))
      end
      collectgarbage()
    end
  end)

  it("that are Values are bound", function()
    local t = { n = 1, list = { 1, 2 } }
    local scope = hcl.scope { variables = { var = hcl.value(t) } }
    local e = hcl.assert(hcl.compile "var.n + length(var.list)")
    assert.equal(3, e:eval(nil, scope))
    t.n = 5
    assert.equal(3, e:eval(nil, scope))
    assert.equal(12, e:eval({ var = { n = 10, list = { 1, 2 } } }, scope))
    assert.equal(3, e:eval(nil, scope))
    local other = hcl.scope { variables = { var = hcl.value { n = 20, list = {} } } }
    assert.equal(20, e:eval(nil, other))
    assert.equal(3, e:eval(nil, scope))
  end)

  -- reference: names are compared as written, values' keys in form C.
  it("are found by the name as written, also Values", function()
    local written, composed = "e\204\129", "\195\169"
    for _, value in ipairs { 1, hcl.value(1) } do
      local scope = hcl.scope { variables = { [written] = value } }
      assert.equal(1, hcl.eval(written, nil, scope))
      local v, err = hcl.eval(composed, nil, scope)
      assert.is_nil(v)
      assert.equal("reference.unknown", err[1].code)
    end
  end)

  it("are converted only if they are reached", function()
    local bad = { good = 1, worse = { 1, 2, x = 3 }, text = "\255" }
    assert.equal(1, hcl.eval("v.good", { v = bad }))
    assert.equal(1, hcl.eval("v.worse[0]", { v = bad }))
    assert.equal("data.keys", code(hcl.eval("v.worse", { v = bad })))
    assert.equal("data.keys", code(hcl.eval("[for x in v.worse : x]", { v = bad })))
    assert.equal("data.text", code(hcl.eval("v.text", { v = bad })))
  end)

  it("name the path of bad data", function()
    local _, err = hcl.eval("v.a[1]", { v = { a = { 1, { b = { 0 / 0 } } } } })
    assert.equal("data.number", err[1].code)
    assert.truthy(err[1].detail:find("v.a[1].b[0]", 1, true))
  end)

  it("are read raw, and the diagnostic names lookup", function()
    local vars = { ngx = setmetatable({}, { __index = function() error "must not run" end }) }
    local v, err = hcl.eval("ngx.host", vars)
    assert.is_nil(v)
    assert.truthy(err[1].detail:find("__index", 1, true))
    assert.truthy(err[1].detail:find("lookup", 1, true))
    vars.k, vars.list = "host", { { header = vars.ngx } }
    for _, source in ipairs { "ngx[k]", 'ngx["host"]', "list[0].header.host", "[for x in list : x.header.host]", "list[*].header.host" } do
      v, err = hcl.eval(source, vars)
      assert.is_nil(v)
      assert.truthy(err[1].detail:find("lookup", 1, true), source .. ": " .. err[1].detail)
    end
    v, err = hcl.eval("host", setmetatable({}, { __index = {} }))
    assert.is_nil(v)
    assert.truthy(err[1].detail:find("lookup", 1, true))
  end)

  it("are found by the normal form of their keys, in any way of access", function()
    if not characters then return pending "no utf8proc" end
    local kelvin = "\226\132\170" -- its normal form is K
    for _, o in ipairs { { [kelvin] = 1 }, hcl.value { [kelvin] = 1 } } do
      for _, source in ipairs { "o.K", "try(o.K, 2)", 'o["K"]', 'try(o["K"], 2)', "try([for x in [o] : x.K][0], 2)" } do
        assert.equal(1, hcl.eval(source, { o = o }), source)
      end
    end
  end)

  it("suggest the near name", function()
    local _, err = hcl.eval("regoin", { region = 1 }, hcl.scope { variables = { other = 1 } })
    assert.truthy(tostring(err):find('"region"', 1, true))
  end)
end)

it("a scope has its own choice of built-ins, or else its parent's", function()
  local choices = { false, true, {}, { "upper" }, { "lower", "upper" } }
  local function has(choice, name)
    if type(choice) ~= "table" then return choice end
    for _, x in ipairs(choice) do
      if x == name then return true end
    end
    return false
  end
  for _, outer in ipairs(choices) do
    for i = 0, #choices do
      local inner = choices[i]
      local scope = hcl.scope { parent = hcl.scope { stdlib = outer }, stdlib = inner }
      local given = outer
      if i > 0 then given = inner end
      for _, name in ipairs { "upper", "lower", "title" } do
        assert.equal(has(given, name), (hcl.eval(name .. '("a")', nil, scope)) ~= nil, ("%d %s"):format(i, name))
      end
    end
  end
end)

describe("lazy values", function()
  it("are functions directly in the variables, never in a table there", function()
    local null, called = {}, 0
    local function f()
      called = called + 1
      return 1
    end
    for _, meta in ipairs { false, {} } do
      for _, null_is in ipairs { false, null } do
        local t = { a = { f = f }, f = f }
        local variables = { f = f, t = meta and setmetatable(t, meta) or t, l = { f }, lazy = hcl.lazy(function() return { f = f } end) }
        local scope = hcl.scope { convert = null_is and { null = null_is } or nil }
        for _, source in ipairs {
          "t.f", "t.a.f", 't["f"]', "t", "[for x in t : x]", "t.a[*].f", "l[0]", "l[*]", "lazy.f", "[t.a, t.f]", "t.a.f.b",
        } do
          assert.equal("data.type", code(hcl.eval(source, variables, scope)), source)
        end
        assert.equal(0, called)
        assert.equal(1, hcl.eval("f", variables, scope))
        called = 0
      end
    end
  end)

  it("are called once, when first needed", function()
    local calls = 0
    local vars = { v = function() calls = calls + 1 return { n = 2 } end, unused = function() error "not needed" end }
    assert.equal(6, hcl.eval("v.n + v.n + [for x in [1] : v.n][0]", vars))
    assert.equal(1, calls)
  end)

  it("may be anywhere in data with hcl.lazy", function()
    local calls = 0
    local data = { list = { 1, hcl.lazy(function() calls = calls + 1 return { deep = true } end) } }
    assert.same({ 1, { deep = true } }, hcl.eval("d.list", { d = data }))
    assert.equal(true, hcl.eval("d.list[1].deep", { d = data }))
    assert.equal(2, calls)
    local twice = hcl.lazy(function() calls = calls + 1 return 7 end)
    calls = 0
    assert.same({ 7, 7, 7 }, hcl.eval("concat(d, [e])", { d = { twice, twice }, e = twice }))
    assert.equal(1, calls)
  end)

  it("fail with their message", function()
    local v, err = hcl.eval("x", { x = function() return nil, "no luck" end })
    assert.is_nil(v)
    assert.equal("lazy.failed", err[1].code)
    assert.truthy(err[1].detail:find("no luck", 1, true))
    assert.equal("lazy.failed", code(hcl.eval("x", { x = function() end })))
  end)

  it("fail beside others that are null or fail, each called once", function()
    local calls = 0
    local function failing(message)
      return hcl.lazy(function() calls = calls + 1 return nil, message end)
    end
    local list = { failing "first", hcl.lazy(function() return hcl.null end), failing "third" }
    local source = 'try(l[0], "none") == "none" && l[1] == null && try(l[2], l[0], "none") == "none"'
    assert.equal(true, hcl.eval(source, { l = list }))
    assert.equal(2, calls)
    local _, err = hcl.eval("[try(l[0], l[1]), l[2], l[0]]", { l = list })
    assert.equal(2, #err)
    assert.truthy(err[1].detail:find("third", 1, true))
    assert.truthy(err[2].detail:find("first", 1, true))
    assert.equal(4, calls)
  end)

  it("may give null, false and lazies", function()
    assert.equal(hcl.null, hcl.eval("x", { x = function() return hcl.null end }))
    assert.equal(false, hcl.eval("x", { x = function() return false end }))
    assert.equal(3, hcl.eval("x", { x = function() return hcl.lazy(function() return 3 end) end }))
  end)

  it("may not return functions: only the first call gives a value", function()
    local function give() return function() return 3 end end
    assert.equal("data.type", code(hcl.eval("x", { x = give })))
    assert.equal("data.type", code(hcl.eval("x", { x = hcl.lazy(give) })))
    assert.equal("data.type", code(hcl.eval("x.y", { x = { y = hcl.lazy(give) } })))
  end)
end)

describe("functions of the library", function()
  it("of the scope are found by the name as written", function()
    local written = "e\204\129"
    local scope = hcl.scope { functions = { [written] = function() return 1 end, ["x::" .. written] = function() return 2 end } }
    assert.equal(3, hcl.eval(written .. "() + x::" .. written .. "()", nil, scope))
    assert.is_nil((hcl.eval("\195\169()", nil, scope)))
  end)

  it("can be left out or chosen", function()
    assert.equal("call.unknown", code(hcl.eval('upper("a")', nil, hcl.scope { stdlib = false })))
    local some = hcl.scope { stdlib = { "upper" } }
    assert.equal("A", hcl.eval('upper("a")', nil, some))
    assert.equal("call.unknown", code(hcl.eval('lower("A")', nil, some)))
    assert.equal("call.unknown", code(hcl.eval('lower("A")', nil, hcl.scope { parent = some })))
  end)

  it("may be chosen by a list of any length", function()
    local names, all = {}, support.keys(hcl.functions())
    for i = 1, 100000 do names[i] = all[i % #all + 1] end
    assert.equal("A", hcl.eval('upper("a")', nil, hcl.scope { stdlib = names }))
  end)

  it("are chosen with their core:: names, in any notation", function()
    for _, name in ipairs { "upper", "core::upper" } do
      local some = hcl.scope { stdlib = { name } }
      assert.same({ "A", "A" }, hcl.eval('[upper("a"), core::upper("a")]', nil, some))
      assert.equal("call.unknown", code(hcl.eval('core::lower("A")', nil, some)))
    end
  end)

  it("are suggested with their core:: names", function()
    local function hint(source, scope)
      local _, err = hcl.eval(source, nil, scope)
      return err[1].detail:match '%. (.*)$'
    end
    assert.equal('Did you mean "core::upper"?', hint 'core::uper("a")')
    assert.equal('Did you mean "core::upper"?', hint 'cor::upper("a")')
    assert.is_nil(hint 'core::nothing_like_it("a")')
    assert.is_nil(hint('core::uper("a")', hcl.scope { stdlib = { "lower" } }))
    -- A user's function has no such name.
    assert.is_nil(hint('core::shoud("a")', hcl.scope { functions = { shout = string.upper } }))
    assert.truthy(hint('acme::tag("a")'):find("acme::", 1, true))
  end)

  it("of the console are only in console scopes", function()
    assert.equal("call.unknown", code(hcl.eval "type(1)"))
    assert.equal("number", tostring(hcl.eval("type(1)", nil, hcl.scope { console = true }):unmark():lua()))
  end)
end)

describe("a function for a namespace", function()
  it("is called for names without their own function", function()
    local scope = hcl.scope { functions = { ["a::*"] = function() return "any" end, ["a::b"] = function() return "b" end } }
    local inner = hcl.scope { parent = scope, functions = { ["a::c"] = function() return "c" end } }
    assert.same({ "any", "b", "c", "any" }, hcl.eval("[a::x(1), a::b(), a::c(), a::a()]", nil, inner))
    for source, hint in pairs { ["aa::x()"] = 'the namespace "a::"?', ["other::y()"] = 'nothing in the namespace "other::".',
                                ["provider::x::y()"] = "named in required_providers." } do
      local _, err = hcl.eval(source, nil, scope)
      assert.equal("call.unknown", err[1].code)
      assert.truthy(err[1].detail:find(hint, 1, true), err[1].detail)
    end
    for _, name in ipairs { "*", "::*", "a::**", "a:*", "1::*" } do
      assert.has_error(function() hcl.scope { functions = { [name] = print } } end)
    end
  end)
end)

describe("limits", function()
  it("count the same steps wherever an evaluation is suspended", function()
    local ok, testing = pcall(require, "hclexpr.testing")
    if not ok then return end
    local source, least = 'join(",", sort(split(",", big))) != ""', {}
    local variables = { big = hcl.value((("some text,"):rep(2000))) }
    for i, stutter in ipairs { false, true } do
      testing.stutter(stutter)
      local low, high = 0, 100000 -- too few, enough
      while high - low > 1 do
        local middle = math.floor((low + high) / 2)
        if hcl.eval(source, variables, hcl.scope { limits = { steps = middle } }) then high = middle else low = middle end
      end
      least[i] = high
    end
    testing.stutter(false)
    assert.is_true(least[1] > 1000 and least[1] < 100000)
    assert.equal(least[1], least[2])
  end)

  local function limited(source, limits, vars)
    return code(hcl.eval(source, vars, hcl.scope { limits = limits }))
  end

  it("report a limit first, whatever try() caught before", function()
    local value, err = hcl.eval("try(nope.x, [for x in range(1000) : x])", nil, hcl.scope { limits = { steps = 500 } })
    assert.is_nil(value)
    assert.equal("limit.steps", err[1].code)
  end)

  it("stop an evaluation with their diagnostic", function()
    local list = {}
    for i = 1, 1000 do list[i] = i end
    assert.equal("limit.steps", limited("[for x in xs : x + 1]", { steps = 100 }, { xs = list }))
    assert.equal("limit.memory", limited("[for x in xs : [x, x, x]]", { memory = 1000 }, { xs = list }))
    assert.equal("limit.output", limited("xs", { output = 1000 }, { xs = list }))
  end)

  it("bound the nesting of data in both directions", function()
    local deep = 1
    for _ = 1, 50 do deep = { deep } end
    assert.equal("limit.depth", limited("x", { depth = 20 }, { x = deep }))
    local v = hcl.assert(hcl.compile "x"):value({ x = hcl.value(deep) })
    assert.equal("tuple", v:type():kind())
  end)

  it("are only narrowed by a child", function()
    local parent = hcl.scope { limits = { steps = 100 } }
    local child = hcl.scope { parent = parent, limits = { steps = 1e9 } }
    local list = {}
    for i = 1, 1000 do list[i] = i end
    assert.equal("limit.steps", code(hcl.eval("[for x in xs : x + 1]", { xs = list }, child)))
    -- Each of them: the parent's small limit applies, the child's large one doesn't.
    for limit, case in pairs {
      steps = { 100, "[for x in xs : x + 1]" }, memory = { 1000, "[for x in xs : [x, x, x]]" }, depth = { 5, "((((((1))))))" },
      output = { 1000, "xs" }, source = { 10, "1 + 2 + 3 + 4" },
    } do
      local small, large = { [limit] = case[1] }, { [limit] = 1e9 }
      local variables = { xs = list }
      assert.is_not_nil(hcl.eval(case[2], variables, hcl.scope { limits = large }), limit)
      for _, scope in ipairs {
        hcl.scope { parent = hcl.scope { limits = small }, limits = large },
        hcl.scope { parent = hcl.scope { limits = large }, limits = small },
        hcl.scope { parent = hcl.scope { parent = hcl.scope { limits = small } }, limits = large },
      } do
        assert.equal("limit." .. limit, code(hcl.eval(case[2], variables, scope)))
      end
    end
  end)
end)

-- A few answers are searched one by one, many by hash, with the same result.
describe("convert", function()
  it("is inherited", function()
    local parent = hcl.scope { convert = { null = "omit" } }
    assert.same({ b = 1 }, hcl.eval("{ a = null, b = 1 }", nil, hcl.scope { parent = parent }))
  end)
end)
