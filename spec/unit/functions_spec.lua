-- Functions written in Lua: plain ones, and those with declared parameters.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local lacking = support.lacking(hcl)
local code = support.code

local function with(functions)
  return hcl.scope { functions = functions }
end

describe("a plain Lua function", function()
  it("takes any number of Lua values", function()
    local got
    local scope = with { f = function(...) got = { n = select("#", ...), ... } return #got end }
    assert.equal(4, hcl.eval('f(1, "two", [3], { a = null })', nil, scope))
    assert.equal(1, got[1])
    assert.equal("two", got[2])
    assert.same({ 3 }, got[3])
    assert.equal(hcl.null, got[4].a)
    hcl.eval("f()", nil, scope)
    assert.equal(0, got.n)
  end)

  it("may be in a namespace and shadow a built-in", function()
    local scope = with { ["acme::tag"] = function(s) return "tag-" .. s end, upper = function() return "mine" end }
    assert.equal("tag-x", hcl.eval('acme::tag("x")', nil, scope))
    assert.equal("mine", hcl.eval('upper("x")', nil, scope))
    assert.equal("X", hcl.eval('core::upper("x")', nil, scope))
  end)

  it("is inherited by child scopes", function()
    local parent = with { f = function() return "parent" end, g = function() return "g" end }
    local child = hcl.scope { parent = parent, functions = { f = function() return "child" end } }
    assert.same({ "child", "g" }, hcl.eval("[f(), g()]", nil, child))
  end)

  it("gets data that Lua can't represent as Values", function()
    local got
    local scope = with { f = function(v) got = v return 1 end }
    hcl.eval("f(x)", { x = hcl.sensitive "s" }, scope)
    assert.same({ "sensitive" }, got:marks())
    hcl.eval("f(x)", { x = hcl.unknown "string" }, scope)
    assert.is_false(got:is_known())
  end)

  it("fails with nil, message and index", function()
    local scope = with { f = function(_, b) return nil, "bad " .. tostring(b), 2 end, g = function() return nil, "all wrong" end }
    local v, err = hcl.eval("1 + f(1, 23)", nil, scope)
    assert.is_nil(v)
    assert.equal("call.argument", err[1].code)
    assert.truthy(err[1].detail:find("bad 23", 1, true))
    assert.equal(9, err[1].range.start.byte)
    assert.equal(11, err[1].range.stop.byte)
    assert.equal("call.failed", code(hcl.eval("g()", nil, scope)))
    assert.equal("ok", hcl.eval('try(g(), "ok")', nil, scope))
  end)

  it("fails with a message that contains text", function()
    local object = setmetatable({}, { __tostring = function(self) return "text of " .. self.name end })
    object.name = "an object"
    for message, what in pairs {
      [""] = "f(): It failed, and gave no message.", [object] = "f(): text of an object", [5] = "f(): 5",
      [hcl.array {}] = "f(): It failed, and gave a table for a message. Return nil and a string.",
      [print] = "gave a function for a message.", [true] = "gave a boolean for a message.", [hcl.null] = "gave a userdata for a message.",
    } do
      local _, err = hcl.eval("f()", nil, with { f = function() return nil, message end })
      assert.truthy(err[1].detail:find(what, 1, true), err[1].detail)
      if message ~= 5 then -- a lookup's number is its number of steps
        _, err = hcl.eval("x.y", nil, hcl.scope { lookup = function() return nil, message end })
        assert.equal("lookup.failed", err[1].code)
        assert.truthy(err[1].detail:find(what:gsub("^f%(%): ", ""), 1, true), err[1].detail)
      end
    end
  end)

  it("has no names of arguments to report", function()
    local _, err = hcl.eval("f(1, 2)", nil, with { f = function() return nil, "bad", 2 end })
    assert.equal("f(): argument 2: bad", err[1].detail)
    local strict = hcl.func { variadic = { type = "number" }, impl = print }
    _, err = hcl.eval('f(1, "x")', nil, with { f = strict })
    assert.equal(1, err[1].detail:find("f(): argument 2: ", 1, true))
  end)

  it("must return something", function()
    local scope = with { f = function() end, g = function() return nil end, h = function() return hcl.null end }
    for _, source in ipairs { "f()", "g()" } do
      local v, err = hcl.eval(source, nil, scope)
      assert.is_nil(v)
      assert.truthy(err[1].detail:find("hcl.null", 1, true))
    end
    assert.equal(hcl.null, hcl.eval("h()", nil, scope))
    assert.equal(false, hcl.eval("f()", nil, with { f = function() return false end }))
  end)

  it("must return data", function()
    local scope = with { f = function() return { a = { print } } end }
    local v, err = hcl.eval("f()", nil, scope)
    assert.is_nil(v)
    assert.truthy(err[1].detail:find(".a[0]", 1, true))
    assert.is_nil(err[1].detail:find("lazy", 1, true)) -- which isn't allowed there, either
  end)

  it("reports the broken bytes of its message, and the text between them", function()
    local pieces, broken, draw = { "a", "\195\169", "zz", " b" }, { "\255", "\192", "\226\130", "\128" }, support.random(5)
    for _ = 1, 200 do
      local given, shown = {}, {}
      for i = 1, 1 + draw(8) do
        local piece = pieces[draw(4)]
        if draw(2) == 1 then
          local bytes = broken[draw(4)]
          given[i], shown[i] = piece .. bytes .. ".", piece .. ("\239\191\189"):rep(#bytes) .. "."
        else
          given[i], shown[i] = piece, piece
        end
      end
      local scope = with { f = function() return nil, table.concat(given) end }
      local _, err = hcl.eval("f()", nil, scope)
      assert.truthy(err[1].detail:find(table.concat(shown), 1, true), err[1].detail)
    end
  end)

  it("may raise: the error passes through untouched", function()
    local thrown = {}
    local scope = with { f = function() error(thrown) end }
    local e = hcl.assert(hcl.compile "[for x in [1, 2] : try(f(x), 0)]")
    for _ = 1, 3 do
      local ok, err = pcall(e.eval, e, nil, scope)
      assert.is_false(ok)
      assert.equal(thrown, err)
    end
    assert.equal(3, hcl.eval "1 + 2")
  end)

  it("may evaluate in turn", function()
    local scope
    scope = with { f = function(n) return n == 0 and 0 or hcl.eval("n + f(n - 1)", { n = n }, scope) end }
    assert.equal(55, hcl.eval("f(10)", nil, scope))
  end)
end)

describe("hcl.func", function()
  it("converts arguments first", function()
    local got
    local scope = with { f = hcl.func {
      params = { { name = "cidr", type = "string" }, { name = "bits", type = "number", null = true } },
      impl = function(...) got = { ... } return "ok" end,
    } }
    assert.equal("ok", hcl.eval('f(10, "4")', nil, scope))
    assert.same({ "10", 4 }, got)
    hcl.eval("f(true, null)", nil, scope)
    assert.equal("true", got[1])
    assert.equal(hcl.null, got[2])
    assert.equal("call.argument", code(hcl.eval("f(null, 1)", nil, scope)))
    local v, err = hcl.eval('f("a", "b")', nil, scope)
    assert.is_nil(v)
    assert.equal(8, err[1].range.start.byte) -- inside the quotes, as in the reference
    assert.equal("call.count", code(hcl.eval('f("a")', nil, scope)))
  end)

  it("takes more by variadic", function()
    local scope = with { f = hcl.func {
      params = { { name = "sep", type = "string" } },
      variadic = { name = "parts", type = "string" },
      impl = function(sep, ...) return table.concat({ ... }, sep) end,
    } }
    assert.equal("1-true-x", hcl.eval('f("-", 1, true, "x")', nil, scope))
    assert.equal("a,b", hcl.eval('f(",", ["a", "b"]...)', nil, scope))
  end)

  it("propagates unknown and marks as built-ins do", function()
    local calls = 0
    local scope = with { f = hcl.func {
      params = { { name = "s", type = "string" } }, returns = "string",
      impl = function(s) calls = calls + 1 return s .. "!" end,
    } }
    local e = hcl.assert(hcl.compile "f(x)")
    local v = e:value({ x = hcl.unknown "string" }, scope)
    assert.is_false(v:is_known())
    assert.equal("string", v:type():kind())
    assert.equal(0, calls)
    v = e:value({ x = hcl.sensitive "a" }, scope)
    assert.same({ "sensitive" }, v:marks())
    assert.equal("a!", v:unmark():text())
  end)

  it("has without returns the result's own type, and any for unknown arguments", function()
    local scope = with { f = hcl.func { params = { { name = "s", type = "string" } }, impl = function(s) return { s } end } }
    local e = hcl.assert(hcl.compile "f(x)")
    assert.equal('["tuple",["string"]]', e:value({ x = "a" }, scope):type():json())
    assert.equal("dynamic", e:value({ x = hcl.unknown "string" }, scope):type():kind())
  end)

  it("converts the result to returns", function()
    local scope = with { f = hcl.func { params = {}, returns = "list(string)", impl = function() return { 1, true } end } }
    assert.equal('["list","string"]', hcl.assert(hcl.compile "f()"):value(nil, scope):type():json())
    local bad = with { f = hcl.func { params = {}, returns = "number", impl = function() return "x" end } }
    assert.equal("call.failed", code(hcl.eval("f()", nil, bad)))
  end)

  it("asks a returns function for the type", function()
    local seen
    local scope = with { f = hcl.func {
      params = { { name = "t", type = "string" }, { name = "x", type = "any" } },
      returns = function(t, x)
        seen = x
        if not t:is_known() then return "any" end
        local ty = hcl.type(t:text())
        if not ty then return nil, "no such type", 1 end
        return ty
      end,
      impl = function(_, x) return x end,
    } }
    local e = hcl.assert(hcl.compile "f(t, x)")
    assert.equal("number", e:value({ t = "number", x = "5" }, scope):type():kind())
    local v = e:value({ t = "number", x = hcl.unknown "string" }, scope)
    assert.is_false(v:is_known())
    assert.equal("number", v:type():kind())
    assert.is_false(seen:is_known())
    local _, err = e:value({ t = "nope(", x = 1 }, scope)
    assert.truthy(err[1].detail:find("no such type", 1, true))
    assert.equal(2, err[1].range.start.byte)
  end)

  it("reports an invalid constraint from a returns function", function()
    local scope = with { f = hcl.func { params = {}, returns = function() return "lst(string)" end, impl = function() return {} end } }
    local v, err = hcl.assert(hcl.compile "[f(), 1]"):value(nil, scope)
    assert.is_nil(v)
    assert.truthy(err[1].detail:find('"lst" is not a type', 1, true))
    assert.equal(3, hcl.eval("try(f(), 3)", nil, scope))
  end)

  it("gives Values where asked", function()
    local scope = with { f = hcl.func {
      params = { { name = "v", type = "any", null = true, unknown = true, dynamic = true, marked = true } }, values = true,
      impl = function(v) return #v:marks() .. (v:is_known() and "known" or "unknown") end,
    } }
    local e = hcl.assert(hcl.compile "f(x)")
    assert.equal("1known", e:eval({ x = hcl.sensitive(1) }, scope))
    assert.equal("0unknown", e:eval({ x = hcl.unknown "any" }, scope))
  end)
end)

describe("hcl.func", function()
  it("takes sixteen parameters", function()
    local params, args = {}, {}
    for i = 1, 16 do
      params[i], args[i] = { name = "p" .. i, type = "number" }, '"' .. i .. '"'
    end
    local scope = hcl.scope { functions = { f = hcl.func { params = params, impl = function(...) return { ... } end } } }
    assert.same({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, hcl.eval("f(" .. table.concat(args, ",") .. ")", nil, scope))
    params[17] = { name = "q" }
    assert.is_false((pcall(hcl.func, { params = params, impl = print })))
  end)
end)

describe("limits.output", function()
  local functions = { size = function(x) return type(x) == "table" and #x or #tostring(x) end }
  local scope = hcl.scope { functions = functions, limits = { output = 500 } }

  it("applies to results, not to arguments of functions", function()
    local text = ("x"):rep(100)
    assert.equal(1000, hcl.eval("sum([for i in range(10) : size(text)])", { text = text }, scope))
  end)

  it("bounds each argument", function()
    local v, err = hcl.eval("try(size(text), 0)", { text = ("x"):rep(501) }, scope)
    assert.is_nil(v)
    assert.equal("limit.output", err[1].code)
  end)
end)

describe("more arguments than Lua's stack holds", function()
  local function count(...) return select("#", ...) end
  local scope = with {
    list = function(n)
      local t = {}
      for i = 1, n do t[i] = i end
      return t
    end,
    plain = count,
    declared = hcl.func { params = {}, variadic = { type = "number" }, returns = function() return "number" end, impl = count },
  }

  it("are reported at the call", function()
    for _, name in ipairs { "plain", "declared" } do
      assert.equal(5000, hcl.eval(name .. "(list(5000)...)", nil, scope))
      assert.equal("call.argument", code(hcl.eval(name .. "(list(20000)...)", nil, scope)))
      assert.equal(2, hcl.eval(("try(%s(list(20000)...), %s(1, 2))"):format(name, name), nil, scope))
    end
  end)
end)

-- Expected: the calendar as in Lua's os.time, C's printf, and RFC 4291, by which ::ffff:a.b.c.d is a.b.c.d.
describe("built-ins at their edges:", function()
  it("a date has the days of its month", function()
    for _, year in ipairs { 1900, 2000, 2023, 2024 } do
      for month = 1, 12 do
        local last = os.date("*t", os.time { year = year == 1900 and 2100 or year, month = month + 1, day = 0, hour = 12 }).day
        local text = 'formatdate("D", "%04d-%02d-%02dT00:00:00Z")'
        assert.equal(tostring(last), hcl.eval(text:format(year, month, last)))
        assert.is_nil((hcl.eval(text:format(year, month, last + 1))))
      end
    end
  end)

  it("a template has the scope's time, random bytes and functions", function()
    local scope = hcl.scope {
      clock = function() return 0 end, random = function(n) return ("\7"):rep(n) end,
      filesystem = support.here() .. "../conformance/fixtures",
      functions = { shout = function(x) return x:upper() end },
    }
    local template = "${timestamp()} ${uuid()} ${shout(word)}"
    assert.equal("1970-01-01T00:00:00Z 07070707-0707-4707-8707-070707070707 A",
      hcl.eval('templatestring(t, { word = "a" })', { t = template }, scope))
    local _, err = hcl.eval('templatestring(t, { word = "a" })', { t = "${shuot(word)}" }, scope)
    assert.truthy(err[1].detail:find('No function is named "shuot". Did you mean "shout"?', 1, true))
  end)

  it("jsondecode says whether the text is empty or where it isn't JSON", function()
    for text, said in pairs {
      [""] = "The text is empty,", ["{"] = "The text is not JSON: at byte 1", ["x"] = "The text is not JSON: at byte 0",
    } do
      local _, err = hcl.eval("jsondecode(t)", { t = text })
      assert.truthy(err[1].detail:find(said, 1, true), err[1].detail)
    end
  end)

  -- Terraform's answers.
  it("timecmp takes an hour of one digit, but none of no digit", function()
    assert.equal(0, hcl.eval 'timecmp("2020-01-01T1:04:05Z", "2020-01-01T01:04:05Z")')
    assert.equal("call.argument", code(hcl.eval 'timecmp("2020-01-01T:04:05Z", "2020-01-01T00:04:05Z")'))
  end)

  it("the name of an encoding may have white space around it", function()
    if lacking "textencodebase64(text)" then return pending "no iconv" end
    for _, blank in ipairs { " ", "\t", "\n", "\r", "\11", "\12", " \t\n" } do
      assert.equal("YQA=", hcl.eval('textencodebase64("a", name)', { name = blank .. "UTF-16LE" .. blank }))
    end
    for _, other in ipairs { "\8", "\14", "\1", "x" } do
      assert.is_nil((hcl.eval('textencodebase64("a", name)', { name = other .. "UTF-16LE" })))
    end
  end)

  -- Recorded: D7FF, D800, DBFF, DC00, DFFF and E000, each alone and followed by each.
  it("halves of characters in UTF-16 are refused alone", function()
    if lacking "textencodebase64(text)" then return pending "no iconv" end
    local function read(text) return (hcl.eval('textdecodebase64(t, "UTF-16LE")', { t = text })) end
    for text, wanted in pairs {
      ["/9f/1w=="] = "\237\159\191\237\159\191", ["/9cA4A=="] = "\237\159\191\238\128\128", ["/9c="] = "\237\159\191",
      ["ANgA3A=="] = "\240\144\128\128", ["ANj/3w=="] = "\240\144\143\191", ["/9sA3A=="] = "\244\143\176\128",
      ["/9v/3w=="] = "\244\143\191\191", ["AOD/1w=="] = "\238\128\128\237\159\191", ["AOAA4A=="] = "\238\128\128\238\128\128",
      ["AOA="] = "\238\128\128",
    } do
      assert.equal(wanted, read(text), text)
    end
    local refused = "/9cA2A== /9f/2w== /9cA3A== /9f/3w== ANj/1w== ANgA2A== ANj/2w== ANgA4A== ANg= /9v/1w== /9sA2A== /9v/2w== /9sA4A== /9s= "
      .. "ANz/1w== ANwA2A== ANz/2w== ANwA3A== ANz/3w== ANwA4A== ANw= /9//1w== /98A2A== /9//2w== /98A3A== /9//3w== /98A4A== /98= "
      .. "AOAA2A== AOD/2w== AOAA3A== AOD/3w=="
    for text in refused:gmatch "%S+" do assert.is_nil(read(text), text) end
  end)

  it("a name may contain comments", function()
    for _, name in ipairs { "core::upper", "core :: upper", "core # a\n::\n// b\nupper", "core /* a */ :: /* * b **/ upper" } do
      assert.same({ "A" }, hcl.eval("[" .. name .. '("a")]'))
      local _, err = hcl.eval("[" .. name .. "x(1)]")
      assert.truthy(err[1].detail:find('No function is named "core::upperx"', 1, true), err[1].detail)
      assert.equal("core::upper", hcl.compile("[" .. name .. '("a")]'):functions()[1].name)
    end
  end)

  it("an error in YAML is reported with its place", function()
    for text, place in pairs {
      ["a: 1\nb: *x\n"] = "line 2: ", ["a: 1\n\n\tb: 2\n"] = "line 3: ", ["%YAML 9\n"] = "line 1: ", ["a: 1\nb: ]\n"] = "line 2: ",
      ["%YAML 1.2\n---\na\n"] = "line 1: the document says that it is YAML 1.2",
      ["\1"] = "at byte 0: ", ["a:\n  b\2"] = "at byte 6: ",
    } do
      local _, err = hcl.eval("yamldecode(text)", { text = text })
      if not lacking "yamldecode(text)" then assert.truthy(err[1].detail:find(" can become a value: " .. place, 1, true), err[1].detail) end
    end
  end)

  it("an exponent has two digits at least", function()
    for exponent = -30, 30 do
      assert.equal(("%.3e"):format(tonumber("1.5e" .. exponent)), hcl.eval(('format("%%.3e", 1.5e%d)'):format(exponent)))
    end
  end)

  it("an IPv4 address is the same within IPv6", function()
    for _, pair in ipairs {
      { "::ffff:10.0.0.0/104", "10.1.2.3" }, { "10.0.0.0/8", "::ffff:10.1.2.3" }, { "::ffff:10.0.0.0/104", "10.1.2.0/24" },
      { "10.0.0.0/8", "::ffff:10.1.0.0/112" }, { "::ffff:10.0.0.0/104", "::ffff:10.1.0.0/112" },
    } do
      assert.is_true(hcl.eval("cidrcontains(a, b)", { a = pair[1], b = pair[2] }))
    end
    assert.is_false(hcl.eval 'cidrcontains("::ffff:10.0.0.0/104", "11.1.2.3")')
  end)

  it("are looked for in each scope that has others", function()
    local upper = hcl.assert(hcl.compile 'upper("a")')
    local other = hcl.scope { functions = { f = function() return 1 end } }
    local own = hcl.scope { parent = other, functions = { upper = function() return "own" end } }
    local none = hcl.scope { parent = other, stdlib = { "lower" } }
    for _ = 1, 2 do
      assert.equal("A", upper:eval(nil, other))
      assert.equal("own", upper:eval(nil, own))
      assert.equal("own", upper:eval(nil, hcl.scope { parent = own }))
      assert.equal("A", upper:eval(nil, hcl.scope { parent = other }))
      assert.equal("A", upper:eval {})
      assert.is_nil((upper:eval(nil, none)))
    end
  end)
end)
