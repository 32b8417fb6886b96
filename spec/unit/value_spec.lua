-- Values and their methods.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"
local code = support.code

local function value(source, vars)
  return hcl.assert(hcl.assert(hcl.compile(source)):value(vars))
end

-- Small parts are copied; others keep the memory that they are in.
describe("a Value made of parts of others", function()
  local many = {}
  for i = 1, 40 do many[i] = ("a%d = list(string)"):format(i) end
  local wide = ("object({ %s })"):format(table.concat(many, ", "))
  local parts = {
    "text", ("long"):rep(600), "", 7, 0.5, -0.0, 2 ^ 70, true, hcl.null, { 1, 2 }, { a = { b = "c" } },
    hcl.value(hcl.null, "string"), hcl.value(hcl.null, wide), hcl.unknown "string", hcl.unknown "any", hcl.unknown(wide),
    hcl.unknown("string", { not_null = true, prefix = "p-" }), hcl.unknown("number", { min = 0.25, max = 2 ^ 70 }),
    hcl.unknown("list(string)", { min_length = 1 }), hcl.unknown("any", { attributes = { a = 1 } }), hcl.sensitive "hush",
    hcl.value({ "b", "a" }, "set(string)"),
  }

  it("equals one made from the data, and stays when they are closed", function()
    for i, data in ipairs(parts) do
      local holder = hcl.value { part = data, rest = { ("x"):rep(5000) } }
      local part = holder:get "part"
      local made, again = hcl.value { a = part, b = { part } }, hcl.value { a = data, b = { data } }
      local evaluated = hcl.assert(hcl.compile "{ a = x.p, b = [x.p] }"):value { x = { p = part } }
      holder:close()
      part:close()
      collectgarbage()
      assert.is_true(made == again, i)
      assert.is_true(evaluated == again, i)
      assert.equal(tostring(again), tostring(made), i)
      assert.equal(tostring(again:get "a":type()), tostring(made:get "a":type()), i)
      if not again:get("a"):is_known() then assert.same(again:get("a"):refinements(), made:get("a"):refinements(), i) end
    end
  end)
end)

describe("a Value", function()
  it("has type and state", function()
    local v = hcl.value { 1, "a" }
    assert.equal('["tuple",["number","string"]]', v:type():json())
    assert.is_true(v:is_known())
    assert.is_false(v:is_null())
    assert.is_true(v:is_wholly_known())
    assert.is_true(hcl.value(hcl.null):is_null())
    assert.is_false(hcl.unknown "string":is_known())
    assert.is_false(hcl.value { hcl.unknown "string" }:is_wholly_known())
    assert.is_true(hcl.value { hcl.unknown "string" }:is_known())
  end)

  it("has a state whatever its marks are; an unknown one isn't null", function()
    for _, v in ipairs { hcl.value(1), hcl.value(hcl.null), hcl.unknown "string", hcl.value { hcl.unknown "string" } } do
      local marked = hcl.sensitive(v)
      for _, method in ipairs { "is_known", "is_null", "is_wholly_known" } do assert.equal(v[method](v), marked[method](marked)) end
      assert.is_false(v:is_null() and not v:is_known())
    end
  end)

  it("is converted to a given type", function()
    local v = hcl.value({ "b", "a", "b" }, "set(string)")
    assert.equal("set", v:type():kind())
    assert.equal(2, #v)
    assert.equal("5", hcl.value(5, hcl.type "string"):text())
    local none, err = hcl.value("x", "number")
    assert.is_nil(none)
    assert.equal("value.convert", err[1].code)
    assert.is_nil(err[1].range)
    assert.equal("data.number", code(hcl.value(0 / 0)))
    assert.equal("data.text", code(hcl.value("\255")))
    none, err = hcl.value(1, "lost(string)")
    assert.is_nil(none)
    assert.equal("error", err[1].severity)
  end)

  it("gives elements by the language's keys, in its order", function()
    local v = hcl.value { b = 2, a = { "x", "y" } }
    assert.equal("2", v:get "b":text())
    assert.equal("y", v:get "a":get(1):text())
    assert.is_nil(v:get "nope")
    assert.is_nil(v:get "a":get(2))
    -- Keys are in form C, in whatever form you ask for them: e with an acute, the sign for kelvin.
    local named = hcl.value { ["\195\169"] = 1, K = 2 }
    assert.equal("1", named:get "\195\169":text())
    if characters then
      assert.equal("1", named:get "e\204\129":text())
      assert.equal("2", named:get "\226\132\170":text())
    end
    assert.equal("1", hcl.assert(hcl.type "map(number)":convert { ["e\204\129"] = 1 }):get "e\204\129":text())
    assert.is_nil(named:get "e\204\128")
    assert.is_nil(named:get "e\204")
    assert.equal(2, #v)
    local keys = {}
    for k in v:pairs() do keys[#keys + 1] = k end
    assert.same({ "a", "b" }, keys)
    if _VERSION ~= "Lua 5.1" then
      local seen = {}
      for k, part in pairs(v) do seen[#seen + 1] = k .. tostring(part) end
      assert.same({ "a" .. tostring(v:get "a"), "b" .. tostring(v:get "b") }, seen)
      assert.has_error(function() pairs(hcl.value(1)) end)
    end
    local list = {}
    for i, e in value('["p", "q"]'):pairs() do list[#list + 1] = i .. e:text() end
    assert.same({ "0p", "1q" }, list)
    local set = {}
    for i, e in value('toset(["q", "p"])'):pairs() do set[#set + 1] = i .. e:text() end
    assert.same({ "0p", "1q" }, set)
  end)

  it("returns nil for a missing part, like other answers, and not nothing", function()
    local function one(...) return select("#", ...) == 1 and (...) == nil end
    for _, key in ipairs { 2, -1, 0.5, "x" } do assert.is_true(one(hcl.value({ 1, 2 }):get(key)), key) end
    assert.is_true(one(hcl.value({ a = 1 }):get "b"))
    assert.is_true(one(hcl.value(1):refinements()))
    assert.is_true(one(hcl.compile("1"):warnings()))
    assert.is_true(one(hcl.functions "nope"))
  end)

  it("keeps the value that it was taken from alive", function()
    local e = hcl.value { a = { b = { "deep" } } }:get "a"
    support.collect()
    assert.equal("deep", e:get "b":get(0):text())
  end)

  it("gives the elements of a marked value with its mark, and their keys unchanged", function()
    local seen = {}
    for _, v in ipairs { hcl.sensitive { "p", "q" }, hcl.sensitive { x = "p" } } do
      for k, e in v:pairs() do
        assert.same({ "sensitive" }, e:marks())
        seen[#seen + 1] = k .. e:unmark():text()
      end
    end
    assert.same({ "0p", "1q", "xp" }, seen)
    assert.same({ "sensitive" }, hcl.sensitive({ x = "p" }):get("x"):marks())
  end)

  it("has marks", function()
    local v = hcl.mark(hcl.sensitive { a = 1 }, "ephemeral")
    assert.same({ "ephemeral", "sensitive" }, v:marks())
    assert.same({}, v:unmark():marks())
    assert.same({ "sensitive" }, v:unmark():mark("sensitive"):marks())
    assert.same({ "sensitive" }, v:unmark("ephemeral"):marks())
    assert.same({ "a", "c", "sensitive" }, v:mark("c"):mark("b"):mark("a"):unmark("ephemeral"):unmark("b"):marks())
    assert.same({}, v:unmark("ephemeral"):unmark("sensitive"):marks())
    assert.equal(v, v:unmark "nope")
    assert.equal(v:unmark(), v:unmark():unmark "sensitive")
    assert.same({ "ephemeral", "sensitive" }, v:marks())
    assert.has_error(function() v:unmark(1) end, "bad argument #1 to 'unmark' (string expected, got number)")
    assert.has_error(function() v:unmark("") end, "bad argument #1 to 'unmark' (the name of a mark must not be empty)")
    assert.has_error(function() v:unmark():unmark {} end)
    assert.same({ "ephemeral", "sensitive" }, v:get "a":marks())
    assert.equal("(sensitive value)", tostring(hcl.sensitive(1)))
    assert.has_error(function() return hcl.sensitive "secret":text() end)
    assert.equal("x(sensitive value)", "x" .. hcl.sensitive "secret")
    assert.equal("secret", hcl.sensitive "secret":unmark():text())
  end)

  it("has a text in JSON, exact", function()
    for source, text in pairs {
      ["12345678901234567890123"] = "12345678901234567890123", ["0.1"] = "0.1", ["null"] = "null", ['"a\\u0001"'] = '"a\\u0001"',
      ["toset([2, 1])"] = "[1,2]", ['{ b = [], a = { c = true } }'] = '{"a":{"c":true},"b":[]}',
    } do
      assert.equal(text, hcl.compile(source):value():json())
    end
    -- A literal of a few bytes would be gigabytes of text without any limit.
    for source, text in pairs {
      ["1e300"] = "1" .. ("0"):rep(300), ["[5e300000000]"] = "[5e300000000]", ["-2.5e-600000000"] = "-2.5e-600000000",
    } do
      assert.equal(text, hcl.compile(source):value():json())
    end
    local digits = ("7"):rep(1000)
    assert.equal(digits, hcl.eval("parseint(\"" .. digits .. "\", 10)", nil, hcl.scope { convert = { big = "value" } }):json())
    assert.equal('{\n  "a": [\n    1\n  ]\n}', hcl.value({ a = { 1 } }):json { indent = 2 })
    assert.equal('{"a":1}', hcl.value({ a = 1 }):json { indent = false })
    local hidden_values = { ["at a[0] is sensitive"] = { a = { hcl.sensitive "hush" } }, ["is not known yet"] = hcl.unknown "string" }
    for what, hidden in pairs(hidden_values) do
      local text, err = hcl.value(hidden):json()
      assert.is_nil(text)
      assert.equal("encode.value", err[1].code)
      assert.truthy(err[1].detail:find(what, 1, true), err[1].detail)
      assert.is_nil(err[1].detail:find("hush", 1, true))
    end
    assert.has_error(function() hcl.value(1):json(2) end, "bad argument #1 to 'json' (table expected, got number)")
    assert.has_error(function() hcl.value(1):json { indnt = 2 } end)
    assert.has_error(function() hcl.value(1).json(2) end)
    local closed = hcl.value { 1 }
    closed:close()
    assert.has_error(function() closed:json() end)
  end)

  it("is closed at the end of its block if Lua supports that", function()
    assert.equal("function", type(getmetatable(hcl.value { 1 }).__close))
    if _VERSION < "Lua 5.4" then return end
    local close = assert(load "local v = ... do local x <close> = v assert(#x == 1) end return tostring(v)")
    assert.equal("(closed value)", close(hcl.value { 1 }))
    close(hcl.value(1):mark "m":unmark() and hcl.value { true })
  end)

  it("has refinements if it is unknown", function()
    local v = hcl.unknown("string", { not_null = true, prefix = "ab" })
    assert.same({ not_null = true, prefix = "ab" }, v:refinements())
    local r = hcl.unknown("number", { min = 1, max = 5.5, max_inclusive = false }):refinements()
    assert.equal("1", r.min:text())
    assert.is_true(r.min_inclusive)
    assert.equal("5.5", r.max:text())
    assert.is_false(r.max_inclusive)
    r = hcl.unknown("number", { min = 1 }):refinements()
    assert.equal("1", r.min:text())
    assert.is_nil(r.max)
    r = hcl.unknown("number", { max = 2 }):refinements()
    assert.equal("2", r.max:text())
    assert.is_nil(r.min)
    assert.error_matches(function() hcl.unknown("string", { prefix = "\255" }) end, "'prefix' is not well%-formed UTF%-8")
    local other = setmetatable({ not_null = true }, { __index = { prefix = "ab" } })
    assert.same({ not_null = true }, hcl.unknown("string", other):refinements()) -- the checked elements, and nothing else
    r = hcl.unknown("list(string)", { min_length = 1, max_length = 3 }):refinements()
    assert.equal(1, r.min_length)
    assert.equal(3, r.max_length)
    assert.equal("1 3", r.min_length .. " " .. r.max_length) -- Lua integers, in Luas that have them
    assert.is_nil(hcl.value(1):refinements())
    assert.same({}, hcl.unknown "string":refinements())
  end)

  it("shows nothing of a marked value through its refinements", function()
    for _, mark in ipairs { "sensitive", "my-own" } do
      local v = hcl.assert(hcl.mark(hcl.unknown("string", { prefix = "SECRET" }), mark))
      local ok, message = pcall(v.refinements, v)
      assert.is_false(ok)
      assert.truthy(message:find("v:unmark()", 1, true))
      assert.is_nil(message:find("SECRET", 1, true))
      assert.equal("SECRET", v:unmark():refinements().prefix)
      assert.is_nil(hcl.mark(1, mark):refinements())
    end
    local v = hcl.assert(hcl.compile '"SECRET${u}"'):value { u = hcl.mark(hcl.unknown "string", "sensitive") }
    assert.has_error(function() return v:refinements() end)
  end)

  it("has text", function()
    assert.equal("0.1", hcl.value(0.1):text())
    assert.equal("true", hcl.value(true):text())
    assert.equal("1" .. ("0"):rep(30), value "1e30":text())
    assert.equal("1e30: 1" .. ("0"):rep(30), "1e30: " .. value "1e30")
    assert.equal("5!", hcl.value(5) .. "!")
    assert.has_error(function() return hcl.value {}:text() end)
    assert.has_error(function() return hcl.unknown "string":text() end)
  end)

  it("has text at any size: with an exponent if there would be too many digits", function()
    for _, text in ipairs { "1e100000000", "-1e100000000", "1e-100000000", "1.5e200000", "2.5e-600000000" } do
      local v = value(text)
      assert.equal(text, v:text())
      assert.equal(text, tostring(v))
      assert.equal("<" .. text .. ">", "<" .. v .. ">")
      assert.truthy(hcl.assert(hcl.eval("v == " .. text, { v = v })))
      local list = hcl.assert(hcl.compile("[" .. text .. "]")):value()
      assert.equal("[\n  " .. text .. ",\n]", tostring(list))
    end
    assert.equal("1" .. ("0"):rep(90000), value "1e90000":text())
    assert.equal("limit.memory", code(hcl.eval '"n = ${1e100000000}"'))
  end)

  it("has text even if all of it would be too long", function()
    local many = hcl.assert(hcl.compile "[for i in range(1000) : text]"):value { text = ("\1"):rep(16000) }
    assert.equal("tuple with 1000 elements", tostring(many))
    assert.equal("is tuple with 1000 elements", "is " .. many)
    local long = hcl.value(("x"):rep(2 ^ 25))
    assert.equal('"xxxx', tostring(long):sub(1, 5))
    assert.equal(2 ^ 25, #long:text())
  end)

  it("is rendered as in the console", function()
    -- From the oracle.
    assert.equal('{\n  "a" = [\n    1,\n    true,\n  ]\n}', tostring(hcl.value { a = { 1, true } }))
    assert.equal('"x"', tostring(hcl.value "x"))
    assert.equal("(known after apply)", tostring(hcl.unknown "string"))
    assert.equal("null", tostring(hcl.value(hcl.null)))
  end)

  it("compares", function()
    assert.is_true(hcl.value { 1, "a" } == hcl.value { 1, "a" })
    assert.is_false(hcl.value { 1 } == hcl.value { 2 })
    assert.is_false(hcl.value "1" == hcl.value(1))
    assert.is_true(hcl.value(1) < hcl.value(2))
    assert.is_true(hcl.value(2) <= hcl.value(2))
    assert.is_true(value "1e40" > value "1e39")
    assert.has_error(function() return hcl.value "a" < hcl.value "b" end)
    if _VERSION == "Lua 5.1" then return end -- it compares only values of one type
    for _, one in ipairs { hcl.value(1), value "1", hcl.value { 1 }:get(0) } do
      assert.same({ true, false, true, false }, { one < 2, one < 1, one <= 1, one <= 0 })
      assert.same({ true, false, true, false }, { 0 < one, 1 < one, 1 <= one, 2 <= one })
    end
  end)

  it("equals a value made in the same way, including marks and types, and nothing else", function()
    local list = {}
    for _, source in ipairs {
      "1", "2", '"1"', '"a"', '""', "true", "false", "null", "tostring(null)", "tonumber(null)", "[]", "{}", "tolist([])", "toset([])",
      "tomap({})", "[1]", "[2]", "[1, 2]", '["1"]', "tolist([1])", "toset([1])", "toset([1, 2])", "{ a = 1 }", "{ a = 2 }", "{ b = 1 }",
      "tomap({ a = 1 })", "{ a = 1, b = 2 }", "{ a = 2, b = 1 }", "[null]", "[[]]", "[{}]", "sensitive(1)", "sensitive(2)", "m", "n",
      "sensitive(m)", "sensitive([1])", "[sensitive(1)]", "[m]", "[sensitive(1), 1]", "[1, sensitive(1)]", "{ a = sensitive(1) }",
      "{ a = m }", "tolist([sensitive(1)])", "sensitive(null)", "1.5", "1e30", "1e-30", "0.1", "1e30 + 1", "-1e30", "-1", "1e400",
    } do
      for _ = 1, 2 do
        local variables = { m = hcl.mark(1, "m"), n = hcl.mark(1, "n") }
        list[#list + 1] = { source = source, value = hcl.assert(hcl.assert(hcl.compile(source)):value(variables)) }
      end
    end
    for _, a in ipairs(list) do
      for _, b in ipairs(list) do
        assert((a.source == b.source) == (a.value == b.value), a.source .. " and " .. b.source)
      end
    end
  end)

  it("goes to Lua", function()
    assert.same({ 1, "a" }, hcl.value { 1, "a" }:lua())
    assert.equal(hcl.null, hcl.value(hcl.null):lua())
    assert.equal("s", hcl.sensitive "s":lua { sensitive = "reveal" })
    assert.equal("result.sensitive", code(hcl.sensitive "s":lua { sensitive = "error" }))
    -- It may nest as deeply as its creation allowed.
    local deep, n = hcl.value { 1 }, 0
    for _ = 1, 1100 do deep = hcl.value { deep } end
    local t = deep:lua()
    while t ~= 1 do t, n = t[1], n + 1 end
    assert.equal(1101, n)
  end)

  it("can be closed", function()
    local v = hcl.value { a = 1 }
    local inner = v:get "a"
    v:close()
    v:close()
    assert.equal("1", inner:text())
    assert.has_error(function() return v:type() end)
    assert.equal("string", type(tostring(v)))
    assert.equal("data.type", code(hcl.eval("v", { v = v })))
  end)

  it("is the same whether its number is stored inline or not", function()
    -- The result of an evaluation is within its memory; a converted value, or one taken out of another, shares memory.
    local within, shared = value "12345678901234567890 * 10", hcl.value("123456789012345678900", "number")
    local less = value "12345678901234567890 + 1"
    assert.is_true(within == shared)
    assert.is_true(shared == within)
    assert.is_true(within == value "12345678901234567890 * 10")
    assert.is_false(within == less)
    assert.is_true(less < within)
    assert.is_true(less <= shared)
    assert.is_true(shared > less)
    assert.has_error(function() return within < hcl.value "a" end)
    assert.equal("123456789012345678900", within:text())
    assert.equal("123456789012345678900", tostring(within))
    assert.equal("123456789012345678900.", within .. ".")
    assert.equal("123456789012345678900", within:lua { big = "string" })
    assert.equal("number", within:type():kind())
    assert.is_true(within:is_known() and within:is_wholly_known() and not within:is_null())
    assert.is_nil(within:refinements())
    assert.is_nil(within:get(0))
    assert.has_error(function() return #within end)
    assert.equal(within, within:unmark())
    local marked = within:mark "m"
    assert.same({ "m" }, marked:marks())
    assert.same({}, within:marks())
    assert.equal("123456789012345678900", marked:unmark():text())
  end)

  it("goes into data, scopes, functions and schemas even if its number is stored inline", function()
    local function big() return value "12345678901234567890 * 10" end
    local vars, list = { n = big() }, hcl.value { big() }
    local scope = hcl.scope {
      variables = { n = vars.n },
      functions = { same = hcl.func { params = { { name = "v", type = "any" } }, values = true, impl = function(v) return v end } },
    }
    local schema = { attributes = { n = { default = vars.n } } }
    local body = hcl.assert(hcl.parse "")
    assert.equal("123456789012345678901", hcl.assert(hcl.eval("n + 1", vars)):text())
    assert.equal("123456789012345678900", hcl.assert(hcl.eval("same(n)", nil, scope)):text())
    assert.equal("123456789012345678900", hcl.assert(body:decode(schema)).n:text())
    vars.n:close()
    vars.n:close()
    support.collect()
    assert.equal("123456789012345678900", list:get(0):text())
    assert.equal("123456789012345678901", hcl.assert(hcl.eval("n + 1", nil, scope)):text())
    assert.equal("data.type", code(hcl.eval("n", vars)))
    assert.equal("(closed value)", tostring(vars.n))
    assert.has_error(function() return vars.n:text() end)
    assert.has_error(function() return vars.n < big() end)
    assert.has_error(function() return hcl.scope { variables = vars } end)
    assert.is_false(vars.n == big())
    assert.is_false(big() == vars.n)
  end)

  it("of type() is a Type", function()
    local e = hcl.assert(hcl.compile "type([1])")
    local v = hcl.assert(e:value(nil, hcl.scope { console = true }))
    assert.equal("capsule", v:type():kind())
    assert.equal('"type"', v:type():json())
    assert.same({ "type" }, v:marks())
    assert.equal('["tuple",["number"]]', v:lua():json())
    assert.equal('["tuple",["number"]]', v:unmark():lua():json())
  end)
end)

describe("two unknown Values", function()
  -- The known facts of one, in words.
  local function told(v)
    local list = {}
    for name, fact in pairs(v:refinements()) do list[#list + 1] = name .. "=" .. tostring(fact) end
    table.sort(list)
    return tostring(v:type()) .. " " .. table.concat(list, " ")
  end

  it("are equal if their types and known facts are", function()
    local variables = { u = hcl.unknown "string", l = hcl.unknown "list(string)", s = hcl.unknown "set(string)", n = hcl.unknown "number",
                        c = hcl.unknown "bool" }
    local list = {}
    for _, source in ipairs {
      "u", '"a${u}"', '"abc${u}"', '"acb${u}"', "length(l)", "n", "n + 1", "l", "s", "c ? 1 : 2", "c ? 1 : 3", "c ? 2 : 3",
      "c ? [1] : [2, 3]",
      "c ? toset([1]) : toset([1, 2, 3])", "c ? toset([1, 2]) : toset([1, 2, 3])", "c ? tolist([1]) : tolist([1, 2])",
      "c ? tolist([1]) : tolist([1, 2, 3])", "c ? tolist([1, 2]) : tolist([1, 2, 3])", "c", "c ? 1 : null", "c ? -1 : 2", "c ? -1 : 3",
    } do
      local e = hcl.assert(hcl.compile(source))
      list[#list + 1] = hcl.assert(e:value(variables))
      list[#list + 1] = hcl.assert(e:value(variables))
    end
    for _, a in ipairs(list) do
      for _, b in ipairs(list) do assert.equal(told(a) == told(b), a == b, told(a) .. " and " .. told(b)) end
    end
  end)
end)

describe("a glance at a Value", function()
  local core = require "hclexpr.core"

  it("gives the same answers as its methods", function()
    local variables = { u = hcl.unknown "string", any = hcl.unknown "any", s = hcl.sensitive "x", o = hcl.sensitive { a = 1 } }
    for _, source in ipairs {
      "1", "-7", "0.1", "1e30", "9223372036854775807", "true", "null", '""', '"a b"', '"a\\"b\\\\"', '"$${x}"', '"%%{x}"',
      '"$ %"', '"a\\nb"', "u",
      "any", "s", "o", "o.a", "[1]", "[]", "{}", "{ a = 1 }", "toset([1])", "tolist([1])", "tomap({})", "[u]", '"\\u00e9"',
      '"\\t"', "u + 1", "[s]",
      "1 / 3", "12345678901234567890", "-0",
    } do
      local v = value(source, variables)
      assert.equal(v:type():kind(), core.kind(v), source)
      assert.equal(#v:marks() > 0, core.is_marked(v), source)
      local word = core.word(v)
      if #v:marks() > 0 then assert.equal("(sensitive value)", word)
      elseif not v:is_known() then assert.equal("(known after apply)", word)
      elseif word then assert.equal(tostring(v), word, source)
      else assert.is_false(v:is_null() or v:type():kind() == "bool", source) end
    end
    assert.is_nil(core.word(core.planned("a", hcl.value { a = 1 })))
    assert.has_error(function() core.kind "text" end)
    assert.has_error(function() core.words(hcl.value { 1 }) end)
    local closed = hcl.value { 1 }
    closed:close()
    assert.has_error(function() core.is_marked(closed) end)
  end)

  it("gives for an object or map at once what its parts give one by one", function()
    local secret = hcl.sensitive { b = 1, a = hcl.sensitive "x" }
    local parts = hcl.value { z = 1, a = "x", list = { 1 }, u = hcl.unknown "string", no = hcl.null, s = secret, odd = 'a"b', on = true }
    for _, v in ipairs { parts, secret, hcl.value({ b = "y", a = "x" }, "map(string)"), core.planned("a", parts), hcl.value({}, "map(any)"),
                         value("merge({ b = 1 }, { a = [] }, { c = null })", {}) } do
      local keys, words = core.words(v)
      local n = 0
      for key, part in v:pairs() do
        n = n + 1
        assert.equal(key, keys[n])
        assert.equal(core.word(part) or false, words[n])
      end
      assert.equal(n, #keys)
    end
  end)

  it("finds texts that a terminal may print unchanged", function()
    for byte = 0, 127 do
      local text = "a" .. string.char(byte) .. "b"
      if core.is_plain(text) then assert.equal(text, core.plain(text)) end
    end
    assert.is_true(core.is_plain "a ~B")
    assert.is_false(core.is_plain "a\27[31m")
    assert.is_false(core.is_plain "\195\169")
  end)

  it("share the memory of what a name alone has", function()
    local kept = {}
    for i, source in ipairs { "a.v", "yes ? a.v : null", "a.v[0]", "yes ? a.v[0] : null" } do
      kept[i] = hcl.assert(hcl.compile(source)):value { a = { v = hcl.value { { b = "text" }, { c = 2 } } }, yes = hcl.value(true) }
    end
    collectgarbage()
    collectgarbage()
    local whole, part = hcl.value { { b = "text" }, { c = 2 } }, hcl.value { b = "text" }
    assert.is_true(kept[1] == whole and kept[2] == whole and kept[3] == part and kept[4] == part)
  end)
end)
