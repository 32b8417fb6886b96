-- Diagnostics: the results of a failing call.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local characters = not support.lacking(hcl) "\195\169"

local function fail(source, vars, options, scope)
  local e, err = hcl.compile(source, options)
  local v
  if e then v, err = e:eval(vars, scope) end
  assert.is_nil(v)
  return err
end

describe("Diagnostics", function()
  it("are a plain array", function()
    local err = fail "a + b"
    assert.equal(2, #err)
    local n = 0
    for _, d in ipairs(err) do
      n = n + 1
      assert.equal("error", d.severity)
    end
    assert.equal(2, n)
    assert.is_not_nil(rawget(err, 1))
    assert.is_nil(err[3])
  end)

  it("suggest near names after a try() or can(), whether that succeeded or not", function()
    for _, before in ipairs { "try(a.b, 1)", "can(a.b)", "can(a)", "try(a.b)", "try(a, 1)" } do
      local err = fail("[" .. before .. ", nmae]", { name = 1, a = {} })
      assert.equal('Nothing is named "nmae" here. Did you mean "name"?', err[#err].detail, before)
    end
  end)

  it("dropped by try() and can() are not among those of a limit", function()
    local scope = hcl.scope { variables = { a = hcl.value { b = 1 } }, limits = { steps = 1000 } }
    for _, source in ipairs {
      "try(a.x, [for i in range(100000) : i], 1)", "can([a.x, [for i in range(100000) : i]])",
      'try(can(a.x) ? 1 : [a.x, templatestring("${a.x}${jsonencode([for i in range(100000) : i])}", {})], 1)',
    } do
      local err = fail(source, nil, nil, scope)
      assert.equal("limit.steps", err[1].code)
      assert.equal(1, #err, tostring(err))
    end
  end)

  it("report the last failure in try() with similar names", function()
    local err = fail("try(a.x, a.bb)", { a = { b1 = 1 } })
    assert.truthy(err[1].detail:find('no attribute "bb". Did you mean "b1"?', 1, true), err[1].detail)
  end)

  it("are filled before a script changes them", function()
    local err = fail "a + b"
    err[3] = "more"
    err.note = "mine"
    assert.equal(3, #err)
    assert.equal("mine", err.note)
    assert.equal("reference.unknown", err[2].code)
    err[1] = nil
    assert.is_nil(err[1])
    local unpack = table.unpack or unpack -- luacheck: ignore
    local first, second = unpack(fail "a + b")
    assert.equal("a", first.detail:match '"(.)"')
    assert.equal("b", second.detail:match '"(.)"')
  end)

  it("of one repeated mistake are separate objects", function()
    local expr = hcl.compile "var.a + nope"
    local _, one = expr:eval { var = { a = 1 } }
    local _, two = expr:eval { var = { a = 1 } }
    assert.equal(tostring(one), tostring(two))
    assert.is_false(rawequal(one, two))
    one[1].summary = "changed"
    one[1].range.start.line = 99
    one[2] = "added"
    local _, three = expr:eval { var = { a = 1 } }
    for _, err in ipairs { two, three } do
      assert.equal("Unknown name", err[1].summary)
      assert.equal(1, err[1].range.start.line)
      assert.equal(1, #err)
    end
    assert.is_false(rawequal(two[1], three[1]))
  end)

  it("report the values of their own evaluation", function()
    local expr = hcl.compile("var.a && true")
    local texts = {}
    for _, a in ipairs { 5, 6, 6, 5 } do
      local _, err = expr:eval { var = { a = a } }
      texts[#texts + 1] = err[1].values[1].text
    end
    assert.same({ "5", "6", "6", "5" }, texts)
  end)

  it("report the values at the time of the error, however late they are read", function()
    local expr = hcl.compile '[for x in var.l : x * 2]'
    local list, kept = {}, {}
    for round = 1, 3 do
      for i = 1, 99 do list[i] = ("%s %d-%d"):format(i % 2 == 0 and "\"näme\"" or "name", round, i) end
      local _, err = expr:eval { var = { l = list } }
      kept[round] = err
    end
    for i = 1, 99 do list[i] = i end
    support.collect()
    for round = 1, 3 do
      assert.equal(99, #kept[round])
      for i, d in ipairs(kept[round]) do
        local text = ("%s %d-%d\""):format(i % 2 == 0 and '\\"näme\\"' or '"name', round, i)
        assert.truthy(d.detail:find(text, 1, true), d.detail)
        assert.truthy(tostring(kept[round]):find(text, 1, true))
      end
    end
  end)

  it("report the same in all forms, before and after they are read", function()
    local expr = hcl.compile "upper(var.list) + var.obj.naem + var.list[7] + vra.x"
    local vars = { var = { list = { "a", "b" }, obj = { name = "n", size = 1 } } }
    for _ = 1, 3 do
      local _, err = expr:eval(vars)
      local whole = tostring(err)
      local lsp, vim = err:lsp(), err:vim()
      assert.equal(4, #err)
      for i, d in ipairs(err) do
        local flat = whole:gsub("%s+", " ")
        assert.truthy(flat:find((d.detail:gsub("%s+", " ")), 1, true))
        assert.equal(d.summary .. ": " .. d.detail, lsp[i].message)
        assert.equal(lsp[i].message, vim[i].message)
      end
      assert.truthy(err[2].detail:find('Did you mean "name"?', 1, true))
      assert.truthy(err[4].detail:find('Did you mean "var"?', 1, true))
      assert.equal(whole, tostring(err))
    end
  end)

  it("are shown once if a loop reports them for each element", function()
    local err = select(2, hcl.eval "[for k in [1, 2, 3] : k.foo]")
    local _, shown = tostring(err):gsub("Error: ", "")
    assert.same({ 3, 1 }, { #err, shown })
    _, err = hcl.eval '[for k in [1, "a"] : k.foo]'
    _, shown = tostring(err):gsub("Error: ", "")
    assert.equal(2, shown)
  end)

  it("stay the same objects when joined, each once", function()
    local core = require "hclexpr.core"
    local expr = hcl.compile "var.name * 2 + vra.x"
    local lists, texts = {}, {}
    for i, name in ipairs { "first", "second", "third" } do
      local _, err = expr:eval { var = { name = name } }
      lists[i], texts[i] = err, tostring(err)
    end
    table.insert(lists, 2, select(2, hcl.compile "1 +"))
    table.insert(texts, 2, tostring(lists[2]))
    local all = core.join_diagnostics(lists)
    for i = 3, 4 do texts[i] = texts[i]:match "^(.-)\n\n" end -- the rest is in the first one
    local whole = table.concat(texts, "\n\n")
    lists = nil -- luacheck: ignore
    support.collect()
    assert.equal(whole, tostring(all))
    assert.equal(5, #all)
    assert.truthy(all[5].detail:find('"third"', 1, true))
    assert.equal(whole, tostring(core.join_diagnostics { all, all }))
  end)

  it("keep room for others if some are duplicates when joined", function()
    local short, long = {}, {}
    for i = 1, 60 do short[i] = "a" .. i end
    for i = 1, 90 do long[i] = "x" .. i .. (".y"):rep(2000) .. " + nope" .. i .. ("z"):rep(4000) end
    short, long = fail("[" .. table.concat(short, ", ") .. "]"), fail("[" .. table.concat(long, ", ") .. "]")
    for turn = 1, 3 do
      local all = require("hclexpr.core").join_diagnostics({ short, short, long }, false, ("line\n"):rep(turn * 20))
      support.collect()
      assert.equal(100, #all)
      assert.equal(long[40].detail, all[100].detail)
      assert.truthy(tostring(all):find("%f[%d]140 more "), tostring(all):sub(-200))
    end
  end)

  -- A name with different letters: one changed, left out, added or exchanged with the next, anywhere.
  it("suggest a name that differs by one letter, and none that differs by three", function()
    local letters = "abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for _, size in ipairs { 2, 3, 4, 5, 8, 31, 32, 62 } do
      local name = letters:sub(1, size):gsub("%u", function(c) return c:lower() .. c:lower() end):sub(1, size)
      local data = { o = { [name] = 1, ["---------"] = 2, ["==========="] = 3 } }
      local function hint(given)
        local _, err = hcl.eval(('o["%s"]'):format(given), data)
        return err[1].detail:match 'Did you mean "(.-)"%?'
      end
      for at = 1, size, math.max(1, math.floor(size / 7)) do
        local before, letter, after = name:sub(1, at - 1), name:sub(at, at), name:sub(at + 1)
        local near = { before .. letter .. "+" .. after, before .. "+" .. letter .. after, before .. "+" .. after }
        if size > 2 then near[#near + 1] = before .. after end
        local next = after:sub(1, 1)
        if next ~= "" and next ~= letter then near[#near + 1] = before .. next .. letter .. after:sub(2) end
        for _, given in ipairs(near) do assert.equal(name, hint(given), given) end
        assert.is_nil(hint(before .. "+++" .. letter .. after))
      end
      assert.is_nil(hint(name .. "+++"))
      if size > 5 then
        assert.equal(name, hint("+" .. name:sub(2, -2) .. "+"))
        assert.equal(name, hint(name:sub(2, 2) .. name:sub(1, 1) .. name:sub(3, -3) .. name:sub(-1) .. name:sub(-2, -2)))
        assert.is_nil(hint("++" .. name:sub(3, -2) .. "+"))
      end
    end
  end)

  it("name eight attributes that only one object has, and say that there are more", function()
    local function detail(n)
      local attributes = {}
      for i = 1, n do attributes[i] = ("a%d = []"):format(i) end
      local _, err = hcl.eval(("x ? { %s } : { z = 1 }"):format(table.concat(attributes, ", ")), { x = true })
      return err[1].detail:match 'only the first has the (attributes? .-), and only the second the attribute "z"'
    end
    assert.equal('attribute "a1"', detail(1))
    assert.equal('attributes "a1", "a2"', detail(2))
    assert.equal('attributes "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"', detail(8))
    assert.equal('attributes "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", and others', detail(9))
    assert.equal('attributes "a1", "a10", "a2", "a3", "a4", "a5", "a6", "a7", and others', detail(10))
  end)

  it("show 40 characters of a name that is longer", function()
    for size, shown in pairs { [39] = ("n"):rep(39), [40] = ("n"):rep(40), [41] = ("n"):rep(40) .. "…", [90] = ("n"):rep(40) .. "…" } do
      local _, err = hcl.eval(("x ? { %s = [] } : { z = 1 }"):format(("n"):rep(size)), { x = true })
      assert.truthy(err[1].detail:find(('only the first has the attribute "%s",'):format(shown), 1, true), err[1].detail)
    end
  end)

  it("suggest one of any number of names", function()
    local names = {}
    for i = 1, 900 do names[i] = ("name%d"):format(i * 1000) end
    names[#names + 1] = "wanted"
    assert.equal("wanted", require("hclexpr.core").suggest("wnted", names))
  end)

  it("suggest the first in order of equally similar names", function()
    for _, names in ipairs { { "bat", "cat", "rat" }, { "rat", "cat", "bat" } } do
      local object = {}
      for i, name in ipairs(names) do object[name] = i end
      local _, err = hcl.eval("o.hat", { o = object })
      assert.truthy(err[1].detail:find('Did you mean "bat"?', 1, true))
      _, err = hcl.eval("o.hat", { o = hcl.value(object) })
      assert.truthy(err[1].detail:find('Did you mean "bat"?', 1, true))
      _, err = hcl.eval("hat", object)
      assert.truthy(err[1].detail:find('Did you mean "bat"?', 1, true))
    end
  end)

  it("are not confused with those of a former expression", function()
    for i = 1, 200 do
      local source = ("nope%d + 1"):format(i)
      local expr = hcl.compile(source)
      for _ = 1, 2 do
        local _, err = expr:eval()
        assert.truthy(err[1].detail:find(("nope%d"):format(i), 1, true))
        assert.truthy(tostring(err):find(source, 1, true))
      end
      support.collect()
    end
  end)

  it("have fields and places", function()
    local d = fail("1 +\n  nope.x", nil, { filename = "rules.hcl" })[1]
    assert.equal("reference.unknown", d.code)
    assert.equal("string", type(d.summary))
    assert.truthy(d.detail:find("nope", 1, true))
    assert.equal("rules.hcl", d.range.filename)
    assert.same({ line = 2, column = 3, byte = 6 }, d.range.start)
    assert.same({ line = 2, column = 7, byte = 10 }, d.range.stop)
    assert.equal("table", type(d.context))
    assert.same({}, d.values)
    assert.is_nil(d.nothing)
    assert.equal(d.range, d.range)
  end)

  it("have the places of a source within a file", function()
    local d = fail("1 +\n  nope.x", nil, { line = 7, column = 3, byte = 100 })[1]
    assert.same({ line = 8, column = 3, byte = 106 }, d.range.start)
    assert.same({ line = 7, column = 3, byte = 100 }, hcl.compile("a", { line = 7, column = 3, byte = 100 }):range().start)
    assert.has_error(function() hcl.compile("a", { byte = -1 }) end,
      "bad argument #2 to 'compile' (option 'byte' must be a whole number from 0 on)")
  end)

  it("count columns in grapheme clusters", function()
    if not characters then return pending "no utf8proc" end
    local d = fail('"e\204\129\240\159\145\141\240\159\143\189" + nope')[1]
    local e = fail('"e\204\129\240\159\145\141\240\159\143\189" == nope')[1]
    assert.equal("error", d.severity)
    assert.equal(9, e.range.start.column)
    assert.equal(17, e.range.start.byte)
  end)

  -- As in the reference: the length that its first byte announces, even if no character is written so, such as an overlong form.
  it("count bytes in the form of a character as one, and reject others", function()
    local function places(bytes)
      local _, err = hcl.parse('b = "' .. bytes .. '" nope\n')
      return err[1].code, err[1].range.start.column
    end
    for _, bytes in ipairs {
      "\192\128", "\193\191", "\224\128\128", "\237\160\128", "\237\191\191", "\240\128\128\128", "\244\144\128\128", "\247\191\191\191",
    } do
      assert.same({ "syntax.body", 9 }, { places(bytes) })
      assert.same({ "syntax.body", 11 }, { places(bytes .. "a" .. bytes) })
      assert.same({ "syntax.encoding", 6 }, { places(bytes:sub(1, -2)) })
      assert.same({ "syntax.encoding", 6 }, { places(bytes:sub(2)) })
    end
    for _, bytes in ipairs { "\248\136\128\128\128", "\252\132\128\128\128\128", "\255", "\128", "\191\191" } do
      assert.equal("syntax.encoding", (places(bytes)))
    end
  end)

  -- The lines around don't matter: short and long ones alternate, beyond the recorded lines.
  it("have a line and column anywhere", function()
    local lengths, offset = { 0, 1, 2, 30, 127, 128, 129, 600, 1023, 1024, 1025, 3000 }, 0
    local lines, starts = {}, {}
    for i = 1, 300 do
      lines[i], starts[i] = "#" .. ("x"):rep(lengths[(i * 7) % #lengths + 1] + i % 3), offset
      if i % 4 == 0 then lines[i] = "a" .. i .. " = " .. (" "):rep(#lines[i]) end
      offset = offset + #lines[i] + 1
      if i % 4 == 0 then offset = offset + #"nope" end
    end
    for _, ending in ipairs { "", "\n" } do
      local _, err = hcl.decode((table.concat(lines, "\n") .. "\n"):gsub(" \n", " nope\n"):sub(1, -2) .. ending)
      assert.equal(75, #err)
      for n = #err, 1, -1 do
        local i = 4 * n
        assert.same({ line = i, column = #lines[i] + 1, byte = starts[i] + #lines[i] }, err[n].range.start)
        assert.truthy(tostring(err):find("line " .. i .. ", column", 1, true))
        assert.same({ line = i - 1, character = #lines[i] }, err:lsp("utf-8")[n].range.start)
      end
      local shown = 0
      for line, after in tostring(err):gmatch "\n +%d+ | ([^\n]*)\n +| +%^%^%^%^(.)" do
        if line:sub(-4) == "nope" and after == "\n" then shown = shown + 1 end
      end
      assert.equal(75, shown)
    end
  end)

  it("have them in a source of many lines, under any limits", function()
    local _, err = hcl.parse(("\n"):rep(3000000) .. "a =", { limits = { memory = 1000 } })
    assert.equal("syntax.expression", err[1].code)
    assert.same({ line = 3000001, column = 4, byte = 3000003 }, err[1].range.start)
    assert.truthy(tostring(err):find("3000001 | a =", 1, true))
  end)

  it("name the values involved, never a sensitive one", function()
    assert.same({ { path = "var.a", text = "5" } }, fail("var.a && true", { var = { a = 5 } })[1].values)
    for _, source in ipairs { "s + 1", "s.x", "s[0]", "upper([s])", "f(s)", "tonumber(s)" } do
      local err = fail(source, { s = hcl.sensitive "top secret" })
      assert.is_nil(tostring(err):find("top secret", 1, true), source)
    end
  end)

  it("name the values involved at each evaluation, bound ones too", function()
    local scope = hcl.scope { variables = { var = hcl.value { a = 5 } } }
    local e = hcl.assert(hcl.compile "var.a && true")
    for _ = 1, 3 do
      local _, err = e:eval(nil, scope)
      assert.same({ { path = "var.a", text = "5" } }, err[1].values)
    end
  end)

  it("are rendered with the source and a caret", function()
    local text = tostring(fail("x = 1 +"))
    assert.equal("string", type(text))
    text = tostring(fail("a.nope", { a = { name = 1 } }))
    assert.truthy(text:find("a.nope", 1, true))
    assert.truthy(text:find("^", 1, true))
    assert.equal("report: " .. text, "report: " .. fail("a.nope", { a = { name = 1 } }))
    assert.equal(text .. "!", fail("a.nope", { a = { name = 1 } }) .. "!")
  end)

  it("quote a word of up to 40 characters", function()
    for _, case in ipairs {
      { hcl.compile, '"%%{ %s }"', nil, '^"w+" is no', "^This is no" }, { hcl.parse, '{"a": %s}', "json", '^"w+" is no', "^This is no" },
      { hcl.parse, '{"a": %s}', "json", "^%-0+ is no", "^This is no", "-" },
    } do
      local parse, source, syntax, short, long, sign = support.unpack(case, 1, 6)
      for _, n in ipairs { 1, 7, 39, 40, 41, 42, 100 } do
        local word = sign and sign .. ("0"):rep(n - 1) or ("w"):rep(n)
        if word ~= "-" then
          local _, err = parse(source:format(word), { syntax = syntax })
          local detail = err[1].detail
          assert.truthy(detail:find(n <= 40 and short or long), detail)
          assert.equal(n <= 40, detail:find(word, 1, true) ~= nil, detail)
        end
      end
    end
  end)

  it("show the first two and the last of many lines", function()
    for n = 2, 12 do
      local lines = { "1 + [" }
      for i = 2, n - 1 do lines[i] = "  " .. i .. "," end
      lines[n] = "]"
      local text = tostring(fail(table.concat(lines, "\n")))
      for i, line in ipairs(lines) do
        local is_shown = n <= 4 or i <= 2 or i == n
        assert.equal(is_shown, text:find((" %d | %s\n"):format(i, line), 1, true) ~= nil, text)
      end
      assert.equal(n > 4, text:find("\n +| %.%.%.\n +" .. n .. " | %]\n") ~= nil, text)
    end
  end)

  it("are rendered as well-formed text for any bytes in the line", function()
    -- A prepended letter includes the broken form of an escape character in its cluster.
    for _, bytes in ipairs { "\192\155", "\224\181\142\192\155", "\224\181\142a\192\155", "\240\159\145\141\192\155" } do
      local _, err = hcl.parse("a = nope nope # " .. bytes .. "\n")
      local text = tostring(err)
      assert.truthy(text:find("nope nope #", 1, true))
      assert.is_true(hcl.value(text) ~= nil, text)
    end
  end)

  it("show a visible substitute for invisible characters and those that reverse the line", function()
    if not characters then return pending "no utf8proc" end
    for _, hidden in ipairs {
      "\1", "\8", "\27", "\31", "\127", "\194\128", "\194\133", "\226\128\142", "\226\128\174", "\226\129\166", "\239\191\185", "\255",
    } do
      local _, err = hcl.parse("a = nope nope # <" .. hidden .. "> \n")
      assert.truthy(tostring(err):find("\n  1 | a = nope nope # <\239\191\189> *\n"), (hidden:gsub(".", function(c)
        return ("\\%d"):format(c:byte())
      end)))
    end
  end)

  it("show a mark without a base on a dotted circle, in a column of its own", function()
    if not characters then return pending "no utf8proc" end
    local circle, acute = "\226\151\140", "\204\129"
    local function shown(source) return tostring(select(2, hcl.compile(source))):match "\n  1 | ([^\n]*)\n    |( *)" end
    local line, space = shown(acute .. " nope")
    assert.equal(circle .. acute .. " nope", line)
    assert.equal(" ", space)
    -- The same after a tab, which is four columns; the brackets mark the error.
    line, space = shown("1 +\t" .. acute .. acute .. "]")
    assert.equal("1 +    " .. circle .. acute .. acute .. "]", line)
    assert.equal(8, #space)
    assert.equal("e" .. acute .. " ]", (shown("e" .. acute .. " ]")))
  end)

  it("show the beginning of a long value, even of many combining marks", function()
    if not characters then return pending "no utf8proc" end
    for _, source in ipairs { "x + 1", "x ? 1 : 2", "{}[x]", "tonumber(x)", "x.a" } do
      local err = fail(source, { x = "e" .. ("\204\129"):rep(100000) })
      assert.equal('"\195\169', err[1].values[1].text:sub(1, 3))
      assert.is_true(#err[1].values[1].text < 10000)
      assert.is_true(#tostring(err) < 30000, source)
    end
  end)

  it("show a window of a long line, even of many combining marks", function()
    for _, line in ipairs { "%s", "nope %s", "x + %s", "e%s nope" } do
      local _, err = hcl.compile((line:format(("\204\129"):rep(100000))))
      local text = tostring(err)
      assert.truthy(text:find "^Error: [^\n]+\n  on line 1, column %d+:\n  1 | ")
      assert.is_true(#text < 1000 * #err, line)
    end
  end)

  it("without a place are rendered, too", function()
    local _, err = hcl.value(0 / 0)
    assert.is_nil(err[1].range)
    assert.equal("a " .. tostring(err) .. " z", "a " .. err .. " z")
    assert.truthy(tostring(err):find("NaN", 1, true))
    assert.same({ start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } }, err:lsp()[1].range)
  end)

  it("survive their expression", function()
    local err = fail("nope.a", nil, { filename = "gone.hcl" })
    support.collect()
    assert.equal("gone.hcl", err[1].range.filename)
    assert.truthy(tostring(err):find("gone.hcl", 1, true))
  end)

  -- Some are from a level of the body and share its source; those of evaluations have a copy.
  it("of several calls keep their places when they have been shown", function()
    local spec = hcl.assert(hcl.spec('object {\n' .. ('attr "%s" {\n}\n'):rep(5):format("a", "b", "c", "d", "e") .. "}\n"))
    local _, err = spec:decode(hcl.parse "a = nope1\nzz = 1\n\nb = nope2\nc = nope3\nd = nope4\ne = nope5\n")
    local text, lines = tostring(err), {}
    assert.equal(text, tostring(err))
    for i, d in ipairs(err) do lines[i] = d.range.start.line end
    table.sort(lines)
    assert.same({ 1, 2, 4, 5, 6, 7 }, lines)
  end)

  it("suggest the names of loops around the place, too", function()
    local function detail(source, variables) return fail(source, variables)[1].detail end
    assert.truthy(detail("[for item in [1] : itme]"):find('"item"', 1, true))
    assert.truthy(detail("{for place, item in { a = 1 } : plaec => item}"):find('"place"', 1, true))
    assert.truthy(detail("[for outer in [1] : [for inner in [2] : [otuer]]]"):find('"outer"', 1, true))
    assert.truthy(detail("[for item in itmes : item]", { items = {} }):find('"items"', 1, true))
    assert.truthy(detail('"%{ for item in [1] }${itme}%{ endfor }"'):find('"item"', 1, true))
    assert.truthy(detail("[for item in [1] : item if itme]"):find('"item"', 1, true))
    -- After a loop its names are undeclared.
    assert.is_nil(detail("[[for item in [1] : item], itme]"):find('"item"', 1, true))
    local _, err = hcl.decode('dynamic "block" {\n for_each = [1]\n content {\n a = blokc.value\n}\n}\n')
    assert.truthy(err[1].detail:find('"block"', 1, true))
  end)


  it("have the form that LSP requires", function()
    local source = '"\240\159\145\141" == nope'
    local err = fail(source)
    local d = err:lsp()[1]
    assert.same({ start = { line = 0, character = 8 }, ["end"] = { line = 0, character = 12 } }, d.range)
    assert.equal(1, d.severity)
    assert.equal("reference.unknown", d.code)
    assert.equal("hclexpr", d.source)
    assert.equal("string", type(d.message))
    assert.same({ line = 0, character = 10 }, err:lsp("utf-8")[1].range.start)
    assert.has_error(function() err:lsp "latin-1" end)
  end)

  it("give editors several places in one line", function()
    -- Before each name are a text of é (2 bytes, 1 unit) and an emoji (4 bytes, 2 units), quotes, comma and space; after it two more.
    local parts = {}
    for i = 1, 20 do parts[i] = '"\195\169\240\159\152\128", nope' end
    local err = fail("\n[" .. table.concat(parts, ", ") .. "]")
    for i, d in ipairs(err:lsp()) do
      local at = 1 + 13 * (i - 1) + 7
      assert.same({ start = { line = 1, character = at }, ["end"] = { line = 1, character = at + 4 } }, d.range)
    end
    for i, d in ipairs(err:lsp "utf-8") do
      local at = 1 + 16 * (i - 1) + 10
      assert.same({ start = { line = 1, character = at }, ["end"] = { line = 1, character = at + 4 } }, d.range)
    end
  end)

  it("give editors repeated places", function()
    local before, behind = '["\195\169\240\159\152\128', '", [for i in [1, 2] : ['
    local err = fail(before .. behind .. "nopa, nopb]]]")
    local first = 2 + 3 + #behind
    for i, d in ipairs(err:lsp()) do assert.equal(first + (i % 2 == 0 and 6 or 0), d.range.start.character) end
    assert.equal(4, #err)
    local two = fail "[(\n b), c]"
    assert.same({ line = 1, character = 1 }, two:lsp()[1].range.start)
    assert.same({ line = 1, character = 5 }, two:lsp()[2].range.start)
  end)

  it("are rendered in a terminal's colours on request", function()
    local err = fail('upper("a") + nope')
    assert.equal(tostring(err), err:report())
    assert.equal(tostring(err), err:report(false))
    assert.is_nil(tostring(err):find("\27", 1, true))
    local coloured = err:report { color = true }
    assert.equal(coloured, err:report(true))
    assert.equal(tostring(err), err:report { color = false })
    assert.equal(err:report(true, 40), err:report { color = true, width = 40 })
    for fault, arguments in pairs {
      ["#1 to 'report' (table expected, got number)"] = { 40 }, ["#1 to 'report' (table expected, got string)"] = { "red" },
      ["#1 to 'report' (unknown option 'colour'; did you mean 'color'?)"] = { { colour = true } },
      ["#1 to 'report' (color must be true or false)"] = { { color = 1 } },
      ["#1 to 'report' (the width must be a number of columns, at most 10000)"] = { { width = "40" } },
      ["#2 to 'report' (the width is among the options)"] = { {}, 40 },
      ["#2 to 'report' (the width must be a number of columns, at most 10000)"] = { true, -1 },
    } do
      assert.has_error(function() err:report(arguments[1], arguments[2]) end, "bad argument " .. fault)
    end
    assert.truthy(coloured:find("\27[", 1, true))
    assert.equal(tostring(err), (coloured:gsub("\27%[[%d;]*m", "")))
    -- The content of a source or a value can't pass for colours.
    assert.is_nil(fail('"\27[31m${nope}"'):report():find("\27", 1, true))
  end)

  it("have the form that vim.diagnostic.set takes", function()
    local d = fail("1 +\n nope"):vim()[1]
    assert.equal(1, d.lnum)
    assert.equal(1, d.col)
    assert.equal(1, d.end_lnum)
    assert.equal(5, d.end_col)
    assert.equal(1, d.severity)
  end)

  it("keep at most 100 and count the rest", function()
    local names = {}
    for i = 1, 150 do names[i] = "nope" .. i end
    local err = fail("[" .. table.concat(names, ", ") .. "]")
    assert.equal(100, #err)
    assert.truthy(tostring(err):find("%f[%d]50 more "))
  end)
end)

describe("a report", function()
  it("shows no control character of a file's name", function()
    local _, err = hcl.compile("1 +", { filename = "a\27[2J\nb\255.hcl" })
    assert.truthy(tostring(err):find("\n  on a\239\191\189[2J\239\191\189b\239\191\189.hcl line 1, column 4:\n", 1, true), tostring(err))
    assert.equal("a\27[2J\nb\255.hcl", err[1].range.filename)
  end)
end)

describe("diagnostics of limits", function()
  it("report the limit, even from parsing and from data", function()
    local function told(limits, source, variables, what)
      local v, err = hcl.eval(source, variables, hcl.scope { limits = limits })
      assert.is_nil(v)
      local name = next(limits)
      assert.equal("limit." .. name, err[1].code)
      assert.truthy(err[1].detail:find("more than " .. what, 1, true) or err[1].detail:find("deeper than " .. what, 1, true)
        or err[1].detail:find("deeper here than " .. what, 1, true) or err[1].detail:find("longer than " .. what, 1, true), err[1].detail)
      assert.truthy(err[1].detail:find("limits." .. name, 1, true))
    end
    told({ steps = 12 }, "[for x in range(100) : x]", nil, "12 steps")
    told({ memory = 5003 }, '[for x in range(999) : "${x} and more of it"]', nil, "5003 bytes")
    told({ memory = 0 }, "range(100)", nil, "0 bytes")
    told({ depth = 7 }, ("("):rep(8) .. 1 .. (")"):rep(8), nil, "7 levels")
    told({ depth = 7 }, '"' .. ("%{if true}"):rep(8) .. ("%{endif}"):rep(8) .. '"', nil, "7 levels")
    told({ depth = 2 }, "x", { x = { { { 1 } } } }, "2 levels")
    told({ output = 77 }, "range(100)", nil, "77 bytes")
    told({ source = 3 }, "12345", nil, "3 bytes")
    for name, what in pairs { depth = "2 levels", source = "2 bytes" } do
      local _, err = hcl.parse('{ "a": [[[1]]] }', { syntax = "json", limits = { [name] = 2 } })
      assert.equal("limit." .. name, err[1].code)
      assert.truthy(err[1].detail:find("than " .. what, 1, true), err[1].detail)
    end
  end)
end)

describe("pairs", function()
  local has_pairs = next((function() -- does this Lua support __pairs?
    local seen = {}
    for k in pairs(setmetatable({}, { __pairs = function() return next, { found = true }, nil end })) do seen[k] = true end
    return seen
  end)()) ~= nil

  it("iterates over the diagnostics and nothing else, at the first and later failures", function()
    local expression = hcl.compile "nope + nada"
    for round = 1, 4 do
      for _, err in ipairs { select(2, expression:eval()), select(2, hcl.eval("nope" .. round)), select(2, hcl.compile "1 + ") } do
        local n = 0
        for i, d in pairs(err) do
          n = n + 1
          assert.equal(n, i)
          assert.truthy(d.summary)
        end
        assert.equal(#err, n)
        collectgarbage()
        assert.truthy(tostring(err):find(err[1].summary, 1, true))
      end
    end
  end)

  it("iterates over the fields of a diagnostic, if Lua supports __pairs", function()
    local _, err = hcl.eval "nope"
    local keys, indexes = {}, {}
    if not has_pairs then
      local _ = err[1].code -- they exist after the first access
    end
    for k in pairs(err[1]) do keys[k] = true end
    assert.same({ severity = true, code = true, name = true, summary = true, detail = true, range = true, context = true, values = true },
      keys)
    if not has_pairs then return end
    for k in pairs(select(2, hcl.eval "nope + 1")) do indexes[#indexes + 1] = k end
    assert.same({ 1 }, indexes)
  end)
end)

describe("hcl.diagnostic", function()
  local body = hcl.assert(hcl.parse('port = 80\nserver "a" {\n  x = 1\n}\n', { filename = "c.hcl" }))

  it("is a script's own, at its place", function()
    local err = hcl.diagnostic { code = "gate.port", summary = "Port taken", detail = "Take another.", object = body.attributes.port }
    assert.equal("Error: Port taken\n  on c.hcl line 1, column 1:\n  1 | port = 80\n    | ^^^^^^^^^\nTake another.", tostring(err))
    assert.same({ "error", "gate.port", "Port taken", "Take another.", 1 },
      { err[1].severity, err[1].code, err[1].summary, err[1].detail, err[1].range.start.line })
    assert.same({ "gate.port", "Port taken: Take another." }, { err:lsp()[1].code, err:lsp()[1].message })
    err = hcl.diagnostic { severity = "warning", summary = "Old", object = body, range = body.blocks[1].type_range }
    assert.same({ "warning", "script", "Old", "", 2 }, { err[1].severity, err[1].code, err[1].summary, err[1].detail,
      err[1].range.start.line })
    assert.equal("Error: Bare", tostring(hcl.diagnostic { summary = "Bare" }))
    assert.is_nil(hcl.diagnostic { summary = "Bare" }[1].range)
    for _, object in ipairs { body, body.blocks[1], body.blocks[1].body, body.attributes.port, hcl.compile "1 + 1" } do
      assert.truthy(hcl.diagnostic { summary = "x", object = object }[1].range)
    end
  end)

  it("raises errors for misuse", function()
    for want, fields in pairs {
      ["option 'summary' is missing"] = {}, ["unknown option 'sumary'; did you mean 'summary'"] = { sumary = "x" },
      ["option 'severity' must be \"error\" or \"warning\""] = { summary = "x", severity = "info" }, ["option 'code' must be words"] = {
        summary = "x", code = "a b" },
      ["option 'range' needs 'object'"] = { summary = "x", range = {} }, ["option 'object' must be a Body"] = { summary = "x", object = 3,
        range = {} },
    } do
      local ok, message = pcall(function() hcl.diagnostic(fields) end)
      assert.is_false(ok)
      assert.truthy(message:find(want, 1, true), message)
      assert.truthy(message:find("diagnostics_spec.lua", 1, true), message)
    end
  end)
end)

describe("Diagnostics that a callback returns", function()
  local data = hcl.assert(hcl.parse("# data\nport = 80\n", { filename = "data.hcl" }))
  local scope = hcl.scope {
    functions = {
      placed = function() return nil, hcl.diagnostic { code = "own.placed", summary = "Taken", detail = "d",
        object = data.attributes.port } end,
      bare = function() return nil, hcl.diagnostic { code = "own.bare", summary = "Bare", detail = "d" }, 2 end,
      inner = function() return hcl.eval "1 + nosuch() + other" end,
      warned = function() return nil, hcl.diagnostic { severity = "warning", summary = "Only this" } end,
      secret = function(s) return nil, hcl.diagnostic { summary = s } end,
    },
    lookup = function(ref)
      if ref.root == "placed" then return nil, hcl.diagnostic { code = "own.lookup", summary = "No", object = data.attributes.port } end
      if ref.root == "bare" then return nil, hcl.diagnostic { code = "own.bare", summary = "No" } end
    end,
  }
  local function run(source)
    local _, err = hcl.assert(hcl.compile(source, { filename = "main.hcl" })):eval(nil, scope)
    return err
  end

  it("are reported unchanged", function()
    for _ = 1, 3 do
      local err = run "[placed(), placed.a]"
      assert.same({ "own.placed", "own.lookup" }, { err[1].code, err[2].code })
      assert.same({ "data.hcl", 2, "data.hcl" }, { err[1].range.filename, err[1].range.start.line, err[2].range.filename })
      assert.truthy(tostring(err):find("Error: Taken\n  on data.hcl line 2, column 1:\n  2 | port = 80\n", 1, true))
    end
    local joined = run "inner()"
    assert.same({ "call.unknown", "reference.unknown" }, { joined[1].code, joined[2].code })
    assert.equal(5, joined[1].range.start.column)
  end)

  it("get the place of the call, the argument or the name if they have none", function()
    local err = run "bare(1, 2)"
    assert.same({ "own.bare", "main.hcl", 9 }, { err[1].code, err[1].range.filename, err[1].range.start.column })
    err = run "[1, bare.x]"
    assert.same({ "own.bare", "main.hcl", 5 }, { err[1].code, err[1].range.filename, err[1].range.start.column })
  end)

  it("count as the call's errors", function()
    assert.equal(2, hcl.compile("try(placed(), 2)"):eval(nil, scope))
    assert.equal(false, hcl.compile("can(placed.x)"):eval(nil, scope))
    assert.equal("call.failed", run("warned()")[1].code)
    local _, err = hcl.compile("secret(s)"):eval({ s = hcl.sensitive "HUSH" }, hcl.scope { parent = scope, convert = {
      sensitive = "reveal" } })
    assert.is_nil(tostring(err):find("HUSH", 1, true))
  end)

  it("may come from a lazy value, alone or in data, and are reported once", function()
    local own = hcl.diagnostic { summary = "Not now", detail = "Ask later.", code = "own.lazy" }
    local function fails() return nil, own end
    local variables = { f = fails, t = { a = 1, b = hcl.lazy(fails) } }
    for source, column in pairs { ["[1, f]"] = 5, ["[1, t.b]"] = 5, ["t"] = 1, ["jsonencode(t)"] = 12 } do
      local _, err = hcl.assert(hcl.compile(source, { filename = "main.hcl" })):eval(variables, scope)
      assert.same({ 1, "own.lazy", "Ask later.", column }, { #err, err[1].code, err[1].detail, err[1].range.start.column }, source)
    end
    assert.equal(2, hcl.compile("try(t.b, 2)"):eval(variables, scope))
  end)

  it("show their own place, in long files and long lines", function()
    local items, many = {}, {}
    for i = 1, 3000 do items[i], many[i] = ('"k%d": "\195\169\204\129 %d"'):format(i, i), ("k%d = %d\r\n"):format(i, i) end
    for name, text in pairs {
      ["one.json"] = "{" .. table.concat(items, ", ") .. ', "bad": "${nope}", ' .. table.concat(items, ", "):gsub('"k', '"m') .. "}",
      ["lines.json"] = "\t{\r\n\t" .. table.concat(items, ",\r\n\t") .. ',\r\n\t"bad":\t"${nope}"\r\n}\n',
      ["one.hcl"] = "bad = [" .. ('"\195\169", '):rep(3000) .. "nope, 2]",
      ["lines.hcl"] = "\239\187\191" .. table.concat(many) .. "bad = [\r\n  1,\r\n\r\n nope\r\n]\r\n" .. table.concat(many):gsub("k", "m"),
      ["first.hcl"] = "\239\187\191bad = nope",
    } do
      local attribute = hcl.assert(hcl.parse(text, { filename = name, syntax = name:match "json" })).attributes.bad
      local _, own = attribute:value()
      local _, err = hcl.assert(hcl.compile "f()"):eval(nil, hcl.scope { functions = { f = function() return attribute:value() end } })
      assert.equal(#own, #err, name)
      for i, d in ipairs(own) do assert.same({ d.range, d.context }, { err[i].range, err[i].context }, name) end
      assert.equal(tostring(own), tostring(err), name)
    end
  end)

  it("use no memory for the rest of their file", function()
    local body = hcl.assert(hcl.parse("bad = nope\n" .. ("# "):rep(500000) .. "\n" .. ("#\n"):rep(500000)))
    local function fails() return body.attributes.bad:value() end
    local lazies = {}
    for i = 1, 60 do lazies[i] = hcl.lazy(fails) end
    local _, err = hcl.assert(hcl.compile "l"):eval({ l = lazies })
    for _, d in ipairs(err) do assert.equal("reference.unknown", d.code) end
  end)

  it("survive their source", function()
    local join = require("hclexpr.core").join_diagnostics
    local all = join { run "[placed.a, bare()]", run "placed()" }
    collectgarbage()
    collectgarbage()
    assert.truthy(tostring(all):find("2 | port = 80", 1, true))
    assert.equal("own.placed", all[#all].code)
  end)
end)
