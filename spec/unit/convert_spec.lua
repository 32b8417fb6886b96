-- Lua data to values and back.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"

local integers = math.type ~= nil

local function roundtrip(x)
  return hcl.assert(hcl.value(x)):lua()
end

local function json(x)
  return hcl.assert(hcl.value(x)):type():json()
end

describe("from Lua", function()
  it("scalars", function()
    assert.equal('"string"', json "s")
    assert.equal('"number"', json(1))
    assert.equal('"bool"', json(false))
    assert.equal('"dynamic"', json(hcl.null))
  end)

  it("a float is the shortest decimal that reads back as it", function()
    assert.equal("0.1", hcl.value(0.1):text())
    assert.equal("1" .. ("0"):rep(22), hcl.value(1e22):text())
    assert.equal("0.3", hcl.assert(hcl.compile "a + b"):value { a = 0.1, b = 0.2 }:text())
    assert.equal("9007199254740993", integers and hcl.value(9007199254740993):text() or "9007199254740993")
  end)

  it("tables", function()
    assert.equal('["tuple",["number","string"]]', json { 1, "a" })
    assert.equal('["object",{"a":"number"}]', json { a = 1 })
    assert.equal('["object",{}]', json {})
    assert.equal('["tuple",[]]', json(hcl.array {}))
    assert.equal("array", hcl.array_mt.__jsontype)
  end)

  it("nulls and empty arrays of other modules, if they are loaded", function()
    local saved = package.loaded.vim
    local nil_of_vim = newproxy and newproxy(true) or io.stdout
    package.loaded.vim = { NIL = nil_of_vim }
    assert.is_true(hcl.value(nil_of_vim):is_null())
    package.loaded.vim = saved
    local mt = {}
    saved = package.loaded.cjson
    package.loaded.cjson = { array_mt = mt, empty_array_mt = {} }
    assert.equal('["tuple",[]]', json(setmetatable({}, mt)))
    assert.equal('["tuple",[]]', json(setmetatable({}, package.loaded.cjson.empty_array_mt)))
    package.loaded.cjson = saved
    assert.equal('["object",{}]', json(setmetatable({}, mt)))
  end)

  it("text is NFC", function()
    if not characters then return pending "no utf8proc" end
    assert.equal("\195\169", hcl.value "e\204\129":text())
    assert.equal(1, hcl.eval('v["\195\169"]', { v = hcl.value { ["e\204\129"] = 1 } }))
  end)

  it("reports invalid values, with their places", function()
    local cycle = {}
    cycle.self = cycle
    local cases = {
      ["data.keys"] = { a = { 1, x = 2 } },
      ["data.hole"] = { a = { [1] = 1, [2] = 2, [4] = 4, [5] = 5, [6] = 6 } },
      ["data.cycle"] = { a = cycle },
      ["data.number"] = { a = 1 / 0 },
      ["data.text"] = { a = "\192\128" },
      ["data.type"] = { a = print },
    }
    for code, x in pairs(cases) do
      local v, err = hcl.value(x)
      assert.is_nil(v, code)
      assert.equal(code, err[1].code)
      assert.truthy(err[1].detail:find("value.a", 1, true), code)
    end
    for _, x in ipairs { { 1, 2, [100] = 3 }, hcl.array { nil, 2 } } do assert.equal("data.hole", support.code(hcl.value(x))) end
    if characters then
      assert.equal("data.keys", support.code(hcl.value { ["\195\169"] = 1, ["e\204\129"] = 2 }))
    end
    for _, x in ipairs { { [true] = 1 }, { [1.5] = 1 }, { [{}] = 1 }, { [0] = 1 }, { [-1] = 1 } } do
      assert.equal("data.keys", support.code(hcl.value(x)))
    end
    assert.is_nil((hcl.value(coroutine.create(function() end))))
    for what, x in pairs {
      ["value: A function is not data. Pass its result instead."] = print,
      ["value: A key of the table is not well-formed UTF-8."] = { ["\255"] = 1 },
      ['value: The table is an array of 1 element and has the key "a" too.'] = { 1, a = 2 },
      ['value: The table is an array of 2 elements and has the key "a" too.'] = { 1, 2, a = 2 },
    } do
      assert.equal(1, select(2, hcl.value(x))[1].detail:find(what, 1, true))
    end
    assert.truthy(select(2, hcl.eval("x", { x = { print } }))[1].detail:find("hcl.lazy(f)", 1, true))
    for _, data in ipairs { { a = 1, ["\255"] = 1 }, { { k = { ["\255"] = 1 } }, { k = { ["\255"] = 1 } } } } do -- also where rows are read
      assert.truthy(select(2, hcl.eval("[for e in x : e]", { x = data }))[1].detail:find("A key of the table is not", 1, true))
    end
    assert.is_nil((hcl.value(io.stdout)))
  end)

  -- LuaJIT's 64-bit integers aren't Lua numbers, and a null pointer isn't one of its values for null.
  if rawget(_G, "jit") then
    it("rejects C data", function()
      local ffi = require "ffi"
      for _, x in ipairs { ffi.new("int64_t", 5), ffi.new "uint64_t", ffi.new "void *", ffi.new("char[3]", "ab") } do
        for _, of in ipairs { "x", "x.a", "[for v in x : v]", "x == null" } do
          local value, err = hcl.eval(of, { x = of == "x" and x or { a = x } })
          assert.is_nil(value)
          assert.equal("data.type", err[1].code)
          assert.truthy(err[1].detail:find("A cdata is not data", 1, true), err[1].detail)
        end
        assert.equal("data.type", support.code(hcl.value(x)))
      end
    end)
  end

  it("reports the place, whichever way reaches it", function()
    local data = { x = { 1, { a = print } }, o = { k = { a = print } }, i = 1, k = "k" }
    for place, sources in pairs {
      ["x[1].a: "] = {
        "x[1].a", "x[i].a", 'x[1]["a"]', "[for j in [1] : x[j].a]", "element(x, i).a", "[for v in x : v]", "x == []", "jsonencode(x)",
        "slice(x, 1, 2)[0].a",
      },
      ["o.k.a: "] = {
        "o.k.a", "o[k].a", "lookup(o, k).a", "[for v in o : v.a]", "[for v in [o] : v.k.a]", "{ for q, v in o : q => v.a }", "values(o)",
        "merge(o, {})",
      },
    } do
      for _, source in ipairs(sources) do
        local v, err = hcl.eval(source, data)
        assert.is_nil(v, source)
        assert.equal(1, err[1].detail:find(place, 1, true), source)
      end
    end
  end)

  it("limits nesting", function()
    local deep = {}
    for _ = 1, 20000 do deep = { deep } end
    assert.equal("limit.depth", support.code(hcl.value(deep)))
  end)
end)

describe("to Lua", function()
  it("numbers", function()
    assert.equal(3, hcl.eval "1 + 2")
    if integers then
      assert.equal("integer", math.type(hcl.eval "1 + 2"))
      assert.equal(math.maxinteger, hcl.eval "9223372036854775807")
      assert.equal(math.mininteger, hcl.eval "-9223372036854775808")
    else
      assert.equal("9223372036854775807", hcl.eval "9223372036854775807":text())
    end
    assert.equal(0.1, hcl.eval "0.1")
    assert.equal(1 / 3, hcl.eval "1 / 3")
    assert.equal(2 ^ 70, hcl.eval "1180591620717411303424")
    assert.equal("number", type(hcl.eval "1e22"))
    assert.equal("1" .. ("0"):rep(30), hcl.eval "1e30":text())
    assert.equal(math.huge, hcl.eval "1 / 0")
  end)

  it("big numbers as convert says", function()
    local function big(how)
      return hcl.eval("1e30", nil, hcl.scope { convert = { big = how } })
    end
    assert.equal("1" .. ("0"):rep(30), big "string")
    assert.equal(1e30, big "float")
    assert.equal("1" .. ("0"):rep(30), big "value":text())
    assert.equal("result.big", support.code(big "error"))
  end)

  it("null", function()
    assert.equal(hcl.null, hcl.eval "null")
    assert.same({ hcl.null, 1 }, hcl.eval "[null, 1]")
    local omit = hcl.scope { convert = { null = "omit" } }
    assert.same({ b = { hcl.null } }, hcl.eval("{ a = null, b = [null] }", nil, omit))
    local NIL = setmetatable({}, {})
    local mine = hcl.scope { convert = { null = NIL } }
    assert.equal(NIL, hcl.eval("null", nil, mine))
    assert.equal(NIL, hcl.eval("{ a = null }", nil, mine).a)
    assert.equal(true, hcl.eval("x == null", { x = NIL }, mine))
    assert.equal(true, hcl.eval("x.y == null", { x = { y = NIL } }, mine))
    local given = hcl.scope { convert = { null = NIL }, functions = { is_nil = function(x) return x == NIL end } }
    assert.same({ true, false }, hcl.eval("[is_nil(null), is_nil(1)]", nil, given))
    assert.error_matches(function() hcl.value(hcl.null):text() end, "null and has no text")
  end)

  it("arrays have array_mt", function()
    assert.equal(hcl.array_mt, getmetatable(hcl.eval "[]"))
    assert.equal(hcl.array_mt, getmetatable(hcl.eval "toset([1])"))
    assert.is_nil(getmetatable(hcl.eval "{}"))
    assert.is_nil(getmetatable(hcl.eval("[]", nil, hcl.scope { convert = { array_mt = false } })))
    local a, o = {}, {}
    local scope = hcl.scope { convert = { array_mt = a, object_mt = o } }
    local t = hcl.eval("[{}, []]", nil, scope)
    assert.equal(a, getmetatable(t))
    assert.equal(o, getmetatable(t[1]))
    assert.equal('["tuple",[]]', hcl.assert(hcl.compile "x"):value({ x = t[2] }, scope):type():json())
  end)

  it("unknown and marked parts stay Values, or are errors", function()
    local t = hcl.eval("[s, u, 1]", { s = hcl.sensitive "x", u = hcl.unknown "string" })
    assert.same({ "sensitive" }, t[1]:marks())
    assert.is_false(t[2]:is_known())
    assert.equal(1, t[3])
    for option, x in pairs { sensitive = hcl.sensitive(1), unknown = hcl.unknown "any" } do
      local v, err = hcl.eval("[x]", { x = x }, hcl.scope { convert = { [option] = "error" } })
      assert.is_nil(v)
      assert.equal("result." .. option, err[1].code)
    end
    assert.same({ { 1 } }, hcl.eval("[x]", { x = hcl.sensitive { 1 } }, hcl.scope { convert = { sensitive = "reveal" } }))
  end)

  it("round trips are exact", function()
    local x = { list = hcl.array {}, map = {}, nulls = { hcl.null, 1, hcl.null }, s = "é", n = { 1, 2.5, -3 }, b = { true, false } }
    local y = roundtrip(x)
    assert.same(x, y)
    assert.equal(json(x), json(y))
  end)

  it("names the place of a rejected value", function()
    local scope = hcl.scope { convert = { sensitive = "error", big = "error" } }
    local _, err = hcl.eval('{ a = [1, { "b c" = sensitive("hush") }] }', nil, scope)
    assert.equal('a[1]["b c"]', err[1].values[1].path)
    assert.equal("(sensitive value)", err[1].values[1].text)
    _, err = hcl.decode('k "x" {\n  v = [2, 123456789012345678901234567890]\n}\n', nil, scope)
    assert.equal("result.big", err[1].code)
    assert.equal("k.x[0].v[1]", err[1].values[1].path)
    _, err = hcl.eval("sensitive(1)", nil, scope)
    assert.equal("result.sensitive", err[1].code)
    assert.equal(0, #err[1].values)
  end)
end)
