-- Hostile input and hostile callers must not crash it, hang it, or use resources without being charged.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local code = support.code

-- [for a1 in [[1, 1]] : [for a2 in [[a1, a1]] : … ][0]][0]: a short source for a value of 2^n parts, which are shared.
local function doubled(n, body)
  for i = n, 1, -1 do
    local inner = i == 1 and "1" or "a" .. i - 1
    body = string.format("[for a%d in [[%s, %s]] : %s][0]", i, inner, inner, body)
  end
  return body
end

local small = hcl.scope { limits = { memory = 2 ^ 20 } }

describe("parts that are shared", function()
  for name, use in pairs {
    equality = "a40 == a40", conditional = "length(true ? a40 : [])", template = '"x${a40}"', set = "toset([a40, a40])",
    json = "jsonencode(a40)", list = "length(tolist(a40))", try = "length(try(a40))", result = "a40",
  } do
    it("are counted each time: " .. name, function()
      local got = code(hcl.eval(doubled(40, use), nil, small))
      assert.is_true(got == "limit.memory" or got == "limit.steps", got)
    end)
  end

  it("are counted in types of unknown values", function()
    local source = "u"
    for i = 1, 40 do source = string.format("[for x%d in [%s] : b ? [x%d, x%d] : [x%d, x%d]][0]", i, source, i, i, i, i) end
    local v, err = hcl.eval(source, { u = hcl.unknown "string", b = hcl.unknown "bool" }, small)
    assert.equal("limit.memory", code(v, err))
  end)

  it("are counted in Values of Values", function()
    local v, err = hcl.value(1)
    for _ = 1, 40 do
      local pair, why = hcl.value { v, v }
      if not pair then v, err = nil, why break end
      v = pair
    end
    assert.equal("limit.memory", code(v, err))
  end)
end)

-- Code that recurses over values relies on it (doc/api.md, "Limits").
describe("depth", function()
  local wanted = { depth = 1e6 }

  local function nested(n) return ("["):rep(n) .. "1" .. ("]"):rep(n) end

  it("of a source is 10,000 at most, whatever is asked for", function()
    assert.truthy(hcl.compile(nested(9990), { limits = wanted }))
    assert.equal("limit.depth", code(hcl.compile(nested(10010), { limits = wanted })))
    assert.equal("limit.depth", code(hcl.parse("a = " .. nested(10010), { limits = wanted })))
  end)

  it("of data is, too", function()
    local scope, text = hcl.scope { limits = wanted }, nested(10010)
    assert.equal("limit.depth", code(hcl.eval(text, nil, scope)))
    assert.equal(true, hcl.eval("can(jsondecode(s))", { s = nested(9990) }, scope))
    assert.equal("limit.depth", code(hcl.eval("length(jsondecode(s))", { s = text }, scope)))
  end)
end)

-- "k" and a number: names whose hashes (hx_str_hash), or those of the types that have them (hx_type_hash), end in the same nine bits.
describe("names chosen to collide", function()
  local names = [[2016 2363 2407 3228 4582 5651 6219 6441 6617 7145 7432 8147 8361 8593 8857 8988 9021 10397 10936 11900
    12117 12237 12667 14139 14159 14184 14394 15134 15221 16139 16343 17477 17479 17854 19455 19697 20671 20773 21624 21644
    22340 23149 23572 23923 24724 24967 24968 25197 25485 25821 26010 27616 28225 28766 29691 30475 31256 32278 34899 35391
    35636 35813 36042 36621 37315 37436 37470 38948 38978 39936 41037 41719 41754 41780 42855 42882 43052 43806 44442 45022
    45517 45846 46371 46674 46981 48767 49028 49551 49829 49943 50367 51671 52801 52946 53195 53972 54184 54597 54867 55447]]
  local types = [[1581 1708 1848 1869 3757 4242 4470 4708 4742 4848 5153 5836 6732 6828 7053 7272 7369 7730 8733 8770 9869
    11732 12537 12597 12639 13141 13416 13479 13745 13827 13934 15048 15953 16053 16552 16569 17142 17449 17778 18567 21560
    23045 25619 26325 26383 26743 27297 27799 27961 29030 29482 29587 29638 29752 31075 31576 34584 34912 35493 35785 35831
    35864 35968 36251 36256 36262 36785 37319 38126 38546 38570 39519 39667 40807 41143 41714 41982 42348 42657 43156 43510
    43531 43646 44090 44118 44270 44730 45891 46732 47919 48593 48716 48881 50019 50439 50598 50692 51531 52638 52922]]
  local scope = hcl.scope { limits = { steps = 3000 } }

  local function keys_of(numbers)
    local keys, values = {}, {}
    for n in numbers:gmatch "%d+" do
      keys[#keys + 1] = "k" .. n
      values["k" .. n] = 1
    end
    return keys, values
  end

  local function plain(n)
    local t = {}
    for i = 1, n do t[i] = tostring(1000 + i) end
    return table.concat(t, " ")
  end

  for source, numbers in pairs {
    ["length({ for k in keys : k => 1 })"] = names, ["length(keys(values))"] = names, ["length(jsondecode(jsonencode(values)))"] = names,
    ["length(tolist([for k in keys : { (k) = 1 }]))"] = types,
  } do
    it("are charged for: " .. source, function()
      local keys, values = keys_of(numbers)
      assert.equal("limit.steps", code(hcl.eval(source, { keys = keys, values = values }, scope)))
      keys, values = keys_of(plain(100))
      assert.equal(100, hcl.assert(hcl.eval(source, { keys = keys, values = values }, scope)))
    end)
  end
end)

describe("a small source that takes long", function()
  for source, options in pairs {
    ['fileexists("nothing")'] = { filesystem = "spec" }, ['try(file("nothing"), "")'] = { filesystem = "spec" },
    ["range(1000)[0]"] = { limits = { steps = 20000 } },
    ['split("", "' .. ("a"):rep(1000) .. '")[0]'] = { limits = { steps = 20000 } },
  } do
    it("is charged for: " .. source:sub(1, 40), function()
      options.limits = options.limits or { steps = 5000 }
      assert.equal("limit.steps", code(hcl.eval("[for i in range(200) : " .. source .. "]", {}, hcl.scope(options))))
      assert.equal(3, #hcl.assert(hcl.eval("[for i in range(3) : " .. source .. "]", {}, hcl.scope(options))))
    end)
  end
end)

-- When each fault searched for the end of those before it, this took a quarter of an hour.
describe("useless expanded arguments", function()
  it("are reported in one pass", function()
    local flags = {}
    for i = 1, 300000 do flags[i] = true end
    local scope = hcl.scope { functions = { f = hcl.func { variadic = { name = "x", type = "number" }, impl = error } } }
    for _, source in ipairs { "max(flags...)", "f(flags...)" } do
      local v, err = hcl.eval(source, { flags = flags }, scope)
      assert.equal("call.argument", code(v, err))
      assert.equal(100, #err)
      assert.truthy(tostring(err):find("299900 more", 1, true))
      assert.is_false(hcl.eval("can(" .. source .. ")", { flags = flags }, scope))
    end
  end)
end)

-- When each name searched through the answers of all others, this took a minute.
describe("tens of thousands of names", function()
  it("may be looked up", function()
    local names, steps, asked = {}, {}, 0
    for i = 1, 30000 do
      names[i] = "n" .. i
      steps[i] = "all.n" .. i
    end
    local scope = hcl.scope { lookup = function(ref)
      asked = asked + 1
      return 1, #ref.steps
    end }
    for _, list in ipairs { names, steps } do
      asked = 0
      assert.equal(30000, #hcl.assert(hcl.eval("[" .. table.concat(list, ", ") .. "]", nil, scope)))
      assert.equal(30000, asked)
    end
  end)
end)

-- When each searched through everything after it, these took minutes.
describe("an unclosed part", function()
  it("is searched for once: classes of patterns", function()
    assert.is_false(hcl.eval('can(regex(pattern, "a"))', { pattern = ("[::"):rep(500000) }))
  end)

  it("is searched for once: items after a carriage return, which isn't an empty line", function()
    assert.equal("syntax.character", code(hcl.parse(("\rname.other\n"):rep(100000))))
  end)

  it("is searched for once: items after comments", function()
    assert.equal("syntax.body", code(hcl.parse(")" .. ("//\n/*"):rep(200000))))
  end)
end)

-- Each of these once allocated memory for everything to come, or everything before it.
describe("memory", function()
  it("is used for a field of CSV, not for its line", function()
    local scope = hcl.scope { limits = { memory = 2 ^ 25 } }
    local columns = {}
    for i = 1, 80 do columns[i] = '"c' .. i .. '"' end
    local text = table.concat(columns, ",") .. "\n" .. ('"y",'):rep(79) .. '"' .. ("x"):rep(9000000) .. '"\n'
    assert.equal(9000000, hcl.assert(hcl.eval("length(csvdecode(text)[0].c80)", { text = text }, scope)))
  end)

  it("is used for a body, not for a larger one before it", function()
    local source = {}
    for i = 1, 9000 do source[i] = "a" .. i .. " = 1\n" end
    source[#source + 1] = ("b {\na=1\nb=1\nc=1\nd=1\ne=1\nf=1\ng=1\nh=1\ni=1\n}\n"):rep(300)
    local v = hcl.assert(hcl.decode(table.concat(source), nil, nil, { limits = { memory = 2 ^ 20 } }))
    assert.equal(300, #v.b)
  end)
end)

describe("a lazy value", function()
  it("that gives itself ends", function()
    local lazy
    lazy = hcl.lazy(function() return lazy end)
    for _, source in ipairs { "a", "a.b", "[a]", "[for x in a : x]" } do
      assert.equal("limit.depth", code(hcl.eval(source, { a = lazy })))
    end
  end)
end)

describe("a result", function()
  it("of empty objects is complete", function()
    assert.equal(2, #hcl.assert(hcl.eval "[{}, {}]"))
    assert.equal(3, #hcl.assert(hcl.eval "[[{}, {}], [{}, {}], {}]"))
  end)
end)

describe("an evaluation that waits", function()
  local function waiting(expression)
    local scope = hcl.scope { functions = { f = function(x) return coroutine.yield(x) end } }
    return (support.suspended(function() return expression:eval({ a = { 1, 2 } }, scope) end))
  end

  it("survives its Expression", function()
    local e = hcl.assert(hcl.compile '[for x in a : "${f(x)} of ${a[0]}"]')
    local co = waiting(e)
    getmetatable(e).__gc(e)
    local ok, v = coroutine.resume(co, "p")
    assert(ok, v)
    ok, v = coroutine.resume(co, "q")
    assert(ok, v)
    assert.same({ "p of 1", "q of 1" }, v)
    assert.is_false((pcall(e.eval, e)))
  end)

  it("survives its Scope, and the parent of that", function()
    local function refuse() return coroutine.yield "asked" end
    local parent = hcl.scope { functions = { refused_by_the_parent = hcl.func { impl = refuse } } }
    local scope = hcl.scope { parent = parent, functions = { refused = hcl.func { impl = refuse } } }
    local co = support.suspended(function() return hcl.eval("[refused(), refused_by_the_parent()]", nil, scope) end)
    getmetatable(scope).__gc(scope)
    getmetatable(parent).__gc(parent)
    for _ = 1, 20 do hcl.scope { functions = { other_functions_in_that_place = refuse } } end
    assert(coroutine.resume(co, nil, "no"))
    local _, v, err = coroutine.resume(co, nil, "no")
    assert.is_nil(v)
    assert.equal("refused(): no", err[1].detail)
    assert.equal("refused_by_the_parent(): no", err[2].detail)
  end)

  it("may be resumed by a finalizer without harm", function()
    for _ = 1, 50 do
      local keep = { co = waiting(hcl.assert(hcl.compile "f(1) + a[1]")) }
      if newproxy then
        getmetatable(newproxy(true)).__gc = function() coroutine.resume(keep.co, 1) end
      else
        setmetatable(keep, { __gc = function(self) coroutine.resume(self.co, 1) end })
      end
    end
    support.collect()
    assert.equal(2, hcl.eval "1 + 1")
  end)

  -- Its own finalizer is then due, and runs while others evaluate: they must not start one in its place.
  it("is not used again when a finalizer has resumed it", function()
    local expr = hcl.assert(hcl.compile "[for x in a : f(x)]")
    local scope = hcl.scope { functions = { f = function(x)
      local garbage
      for i = 1, 20 do garbage = { i, garbage } end
      return x + 1
    end } }
    collectgarbage("stop")
    for _ = 1, 300 do
      local keep = { co = waiting(expr) }
      local function resume()
        for _ = 1, 2 do coroutine.resume(keep.co, 1) end
      end
      if newproxy then
        keep.proxy = newproxy(true)
        getmetatable(keep.proxy).__gc = resume
      else
        setmetatable(keep, { __gc = resume })
      end
    end
    collectgarbage("restart")
    for i = 1, 3000 do assert.same({ i + 1, 3, 4 }, expr:eval({ a = { i, 2, 3 } }, scope)) end
  end)
end)

-- A finalizer removes the fifth element before it is read, and makes Lua keep the table in another order: Lua visits others twice. It
-- runs in the middle, because Lua's stack grows for the third element.
describe("an array that a finalizer changes while it is read", function()
  local function out_of_order()
    local t, order, deep = { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8 }, {}, setmetatable({}, {})
    for k in pairs(t) do t[k] = nil end
    for i = 1, 7 do t[i] = i end
    for k in pairs(t) do order[#order + 1] = k end
    for _ = 1, 60 do deep = { deep } end
    t[order[3]] = deep
    return t
  end

  it("is complete, or rejected", function()
    local expr, t = hcl.assert(hcl.compile "x"), out_of_order()
    local function finalizer()
      t[5] = nil
      for i = 1, 20 do t["k" .. i] = i end
      for i = 1, 20 do t["k" .. i] = nil end
    end
    local incremental = pcall(collectgarbage, "incremental", 100, 1000, 40) -- a step is a cycle
    local before, data = { x = { 1 } }, { x = t }
    local v, err = coroutine.wrap(function()
      expr:eval(before)
      collectgarbage()
      collectgarbage "stop"
      if newproxy then getmetatable(newproxy(true)).__gc = finalizer else setmetatable({}, { __gc = finalizer }) end
      collectgarbage "restart"
      return expr:eval(data)
    end)()
    if incremental then collectgarbage("incremental", 200, 100, 13) end
    for i = 1, v and 7 or 0 do assert(type(v[i]) == "table" or v[i] == i, "element " .. i) end
    assert(v or err[1].code == "data.type" or err[1].code == "data.hole", err and err[1].code)
  end)
end)

describe("an evaluation in a finalizer", function()
  it("doesn't harm one that is just returning its result", function()
    local outer = hcl.assert(hcl.compile '[for i in range(100) : { name = "n${i}${var.x}", list = [i, var.x] }]')
    local inner = hcl.assert(hcl.compile 'var.x > 1 && var.y == "y" ? [var.x, "${var.y}${z.w}"] : null')
    local scope = hcl.scope { variables = { var = hcl.value { x = 2, y = "y" } } }
    local inside, over, nested, wrong = false, false, 0, nil
    local function litter()
      local function finalizer()
        if over then return end
        local v = inner:eval({ z = { w = 1 } }, scope)
        if v[1] ~= 2 or v[2] ~= "y1" then wrong = v end
        if inside then nested = nested + 1 end
        litter()
      end
      if newproxy then getmetatable(newproxy(true)).__gc = finalizer else setmetatable({}, { __gc = finalizer }) end
    end
    for _ = 1, 20 do litter() end
    local pause, speed = collectgarbage("setpause", 1), collectgarbage("setstepmul", 100000)
    for round = 1, 5000 do
      if round > 10 and nested > 20 then break end
      inside = true
      local v = outer:eval(nil, scope)
      inside = false
      assert.equal(100, #v)
      assert.same({ name = "n992", list = { 99, 2 } }, v[100])
    end
    over = true
    collectgarbage("setpause", pause)
    collectgarbage("setstepmul", speed)
    assert.is_nil(wrong)
    assert.is_true(nested > 20)
  end)

  -- Objects older than the module, older than its first evaluation, and younger: Lua finalizes them in reverse order, and doesn't finalize
  -- objects that evaluations make meanwhile (LuaJIT does). `make asan` finds leaks here: the process then fails.
  it("gives its result while the state closes", function()
    local path = support.temporary_file [[
      local hcl
      kept = {}
      local function object(name)
        local function finalizer()
          local list = {}
          for i = 1, 3 do list[i] = tostring(hcl.eval('"${name}-${x}"', { name = name, x = i })) end
          print(table.concat(list, " "))
        end
        kept[name] = newproxy and newproxy(true) or setmetatable({}, { __gc = finalizer })
        getmetatable(kept[name]).__gc = finalizer
      end
      object "early"
      hcl = require "hclexpr"
      object "middle"
      hcl.eval "1"
      object "late"
    ]]
    local program = support.program
    local lines = support.lines(("'%s' '%s' 2>&1; echo $?"):format(program, path))
    os.remove(path)
    table.sort(lines)
    assert.same({ "0", "early-1 early-2 early-3", "late-1 late-2 late-3", "middle-1 middle-2 middle-3" }, lines)
  end)
end)

-- Another object's finalizer may still reference it: objects that become garbage together are finalized in reverse order of creation.
describe("an object that was finalized", function()
  local made = {
    Type = { function() return hcl.type "object({ a = string })" end, function(t) return t:kind() end, function(t) return t:json() end,
      function(t) return t:convert { a = 1 } end, function(t) return hcl.value({ a = 1 }, t) end },
    Function = { function() return hcl.func { impl = type } end, function(f) return hcl.scope { functions = { f = f } } end },
    Scope = { function() return hcl.scope { variables = { a = hcl.value { 1 } } } end,
      function(s) return hcl.scope { parent = s } end, function(s) return hcl.eval("a", nil, s) end },
    Body = { function() return hcl.parse 'a = 1\nb "x" {\n}\n' end,
      function(b) return b.attributes.a end, function(b) return b.blocks[1] end, function(b) return b:range() end,
      function(b) return b:references() end, function(b) return b:expand() end, function(b) return b:decode {} end,
      function(b) return b:content {} end, function(b) return hcl.spec 'attr {\n  name = "a"\n}':decode(b) end },
    Attribute = { function() return hcl.parse "a = 1".attributes.a end,
      function(a) return a.expression end, function(a) return a.range.start end, function(a) return a:eval() end },
    Block = { function() return hcl.parse 'b "x" {\n}\n'.blocks[1] end,
      function(b) return b.type end, function(b) return b.labels[1] end, function(b) return b.body.blocks end },
    Expression = { function() return hcl.compile "a + 1" end,
      function(e) return e:eval { a = 1 } end, function(e) return e:source() end, function(e) return e:ast() end },
    Value = { function() return hcl.value { 1 } end,
      function(v) return v:type() end, function(v) return v:get(0) end, function(v) return #v end, function(v) return v:lua() end },
  }

  for name, row in pairs(made) do
    it("can't be used any more: " .. name, function()
      local x = assert(row[1]())
      getmetatable(x).__gc(x)
      assert.is_string(tostring(x))
      for i = 2, #row do assert(not pcall(row[i], x), string.format("use %d of a finalized %s", i - 1, name)) end
    end)
  end
end)

describe("Diagnostics", function()
  it("whose listing was finalized say nothing", function()
    for _, use in ipairs {
      function(err) return err[1] and err[1].code end, function(err) return #err end, tostring,
      function(err) return err:lsp() end, function(err) local _, d = ipairs(err)(err, 0) return d and d.detail end,
    } do
      local _, err = hcl.compile "1 +"
      local listing = rawget(err, 0) or rawget(rawget(err, 1), 0) -- pairs would show it, but only the elements have it
      getmetatable(listing).__gc(listing)
      local ok, what = pcall(use, err)
      assert.is_true(not ok or what == nil or what == 0 or what == 1)
    end
  end)
end)

describe("a Value", function()
  it("keeps no memory for its answers", function()
    local testing = require "hclexpr.testing"
    local v = hcl.value({ "123456789012345678901234567890" }, "list(number)")
    local same, held = hcl.value({ "123456789012345678901234567890" }, "list(number)"), testing.held(v)
    for _ = 1, 2000 do
      v:lua { big = "string" }
      v:lua { big = "error" }
      local _ = v == same
    end
    assert.is_true(testing.held(v) <= held + 65536)
  end)
end)

describe("secrets", function()
  it("are in no report", function()
    local vars = {
      s = hcl.sensitive "XSECRETX", m = hcl.sensitive { XSECRETX = "XSECRETX" }, l = { hcl.sensitive { "XSECRETX" } },
      o = { k = hcl.sensitive "XSECRETX" },
    }
    for _, source in ipairs {
      "s + 1", "-s", "!s", "s ? 1 : 2", "s[0]", "s.x", "m.nope", "m[s].x", "o[s]", "{}[s]", "[][s]", "[for x in s : x]", "o.k + 1",
      "{ for x in l[0] : x => y }", "tonumber(s)", "tobool(l[0][0])", "upper(l)", "nope(s)", "element(l, s)", "format(s, 1)",
      'regex("[", s)', "jsondecode(s)", "lookup(o, s)", "[for x in l : x + 1]", '"${l}"', '"%{ if s }a%{ endif }"', "l == [1] + s",
      "try(s + 1)", "one([s, s])", "index(l[0], s)", "range(s)", "zipmap([s], [])", "min(s)", "convert(s, number)", "l[0].*.x",
    } do
      local v, err = hcl.eval(source, vars)
      local text = v == nil and tostring(err) or tostring(v)
      assert.is_nil(text:find("XSECRETX", 1, true), source .. ": " .. text)
    end
  end)
end)

describe("names of a quarter of a megabyte", function()
  local name = ("n"):rep(2 ^ 18)
  local letters = ("é"):rep(2 ^ 17)

  local function longest(err)
    local most = #tostring(err)
    for _, d in ipairs(err) do
      most = math.max(most, #d.detail)
      for _, v in ipairs(d.values) do most = math.max(most, #v.path, #v.text) end
    end
    return most
  end

  it("are shown by their start", function()
    local _, err = hcl.eval(name)
    assert.are.equal('Nothing is named "nnnn', err[1].detail:sub(1, 22))
    assert.is_truthy(err[1].detail:find("n…", 1, true))
    _, err = hcl.eval(letters)
    assert.is_truthy(err[1].detail:find("é…", 1, true), "a letter was cut in two")
  end)

  it("don't make a report of many megabytes", function()
    local vars = { l = {}, o = { a = 1 }, t = { 1, 2 } }
    for i = 1, 100 do vars.l[i] = i end
    local long = { [name] = 1 }
    for _, source in ipairs { "[for i in l : " .. name .. "]", "[for i in l : o." .. name .. "]", "o." .. name, name .. "(1)",
        "[for i in l : " .. name .. "(1)]", "t[o." .. name .. "]", "1 + " .. name .. ".a", "[for i in l : " .. name .. "[i].b]",
        "{ for i in l : i => i." .. name .. " }", "a = " .. name .. " b", '"${' .. name .. '}%{ ' .. name .. " }" } do
      local v, err = hcl.eval(source, vars)
      assert.is_nil(v)
      assert.is_true(longest(err) < 2 ^ 22, #source .. " bytes " .. source:sub(1, 20) .. ": " .. longest(err))
    end
    for _, source in ipairs { "[for i in l : long." .. name .. ".x]", "long." .. name .. ".x", "long[\"" .. name .. "\"] && true" } do
      local v, err = hcl.eval(source, { l = vars.l, long = long })
      assert.is_nil(v)
      assert.is_true(longest(err) < 2 ^ 22, #source .. " bytes " .. source:sub(1, 20) .. ": " .. longest(err))
      v, err = hcl.eval(source, nil, hcl.scope { variables = { l = hcl.value(vars.l), long = hcl.value(long) } })
      assert.is_nil(v)
      assert.is_true(longest(err) < 2 ^ 22, #source .. " bytes " .. source:sub(1, 20) .. ": " .. longest(err))
    end
    local _, err = hcl.eval("long", { long = { [name] = function() end } })
    assert.is_true(longest(err) < 2 ^ 22)
    _, err = hcl.decode(name .. " = " .. name .. "\n" .. name .. " {\n}\n" .. name .. " = 1\n")
    assert.is_true(longest(err) < 2 ^ 22, longest(err))
  end)
end)

describe("a table that a callback changes", function()
  local changes = {
    emptied = function(t) for k in pairs(t) do t[k] = nil end end,
    shortened = function(t) for i = 300, 10, -1 do t[i] = nil end end,
    lengthened = function(t) for i = 301, 5000 do t[i] = i end end,
    holed = function(t) t[2] = nil end,
    mixed = function(t) t.x = 1 end,
    replaced = function(t) for k in pairs(t) do t[k] = nil end t.a = 1 end,
  }
  local sources = { "[for x in t : f(x)]", "[for i, x in t : [f(x), t[i]]]", '{ for k, x in t : "${k}" => f(x) }', "[for x in o : f(x)]",
    "{ for k, x in o : k => f(x) }", "[for k, x in o : [f(x), o[k]]]" }

  for name, change in pairs(changes) do
    it("gives a value or diagnostics: " .. name, function()
      for _, source in ipairs(sources) do
        local t, o, calls = {}, {}, 0
        for i = 1, 300 do t[i], o["k" .. i] = i, i end
        local scope = hcl.scope { functions = { f = function(x)
          calls = calls + 1
          if calls == 70 then
            change(t)
            for i = 1, 300 do if i % 3 > 0 then o["k" .. i] = nil end end
            collectgarbage()
          end
          return x
        end } }
        local v, err = hcl.eval(source, { t = t, o = o }, scope)
        assert.is_true(v ~= nil or err[1].code ~= nil, source)
      end
    end)
  end
end)

describe("a limit holds from its very number on: ", function()
  -- Works with the limit n, and not with one less.
  local function exactly(n, name, what, f)
    local v, err = f(hcl.scope { limits = { [name] = n } }, { [name] = n })
    assert(v ~= nil, what .. " with " .. n .. ": " .. tostring(err))
    if n == 0 then return end
    v, err = f(hcl.scope { limits = { [name] = n - 1 } }, { [name] = n - 1 })
    assert(v == nil, what .. " with less than " .. n)
    assert.equal("limit." .. name, err[1].code, what)
  end

  it("source, in bytes", function()
    for source, read in pairs {
      ['[1, "é"]'] = function(s, _, limits) return hcl.compile(s, { limits = limits }) end,
      ["x ${[a]} é"] = function(s, _, limits) return hcl.compile(s, { limits = limits, syntax = "template" }) end,
      ['["é"]'] = function(s, _, limits) return hcl.compile(s, { limits = limits, syntax = "json" }) end,
      ["a = [1]\nb {\n}\n"] = function(s, _, limits) return hcl.parse(s, { limits = limits }) end,
      ['{"a": [1]}'] = function(s, _, limits) return hcl.parse(s, { limits = limits, syntax = "json" }) end,
      ["list(string)"] = function(s, _, limits) return hcl.type(s, { limits = limits }) end,
      ["a = 1\n"] = function(s, _, limits) return hcl.edit(s, { limits = limits }) end,
      ["a=1\n"] = function(s, _, limits) return hcl.format(s, { limits = { source = limits.source } }) end,
      ["a = 2\n"] = function(s, _, limits) return hcl.decode(s, nil, nil, { limits = limits }) end,
      ['attr {\n  name = "a"\n  type = any\n}'] = function(s, _, limits) return hcl.spec(s, { limits = limits }) end,
      ["1 + 1"] = function(s, scope) return hcl.eval(s, nil, scope) end,
      ["a ${1}"] = function(s, scope) return hcl.render(s, nil, scope) end,
    } do
      exactly(#source, "source", source, function(scope, limits) return read(source, scope, limits) end)
    end
  end)

  it("depth, of syntax, of types and of data", function()
    for _, n in ipairs { 1, 2, 7, 40 } do
      for _, around in ipairs {
        "[|]", "(|)", "{ a = | }", "-|", "!|", "abs(|)", '"x${|}"', "[for v in | : v]", "[for v in y : |]", "x[|]", "x.*[|]",
        "f(1, |, 2)",
      } do
        local before, after = around:match "^(.*)|(.*)$"
        local source = before:rep(n) .. "y" .. after:rep(n)
        exactly(n, "depth", source, function(_, limits) return hcl.compile(source, { limits = limits }) end)
        exactly(n, "depth", source, function(_, limits) return hcl.parse("a = " .. source .. "\n", { limits = limits }) end)
      end
      local json = ("["):rep(n) .. "1" .. ("]"):rep(n)
      exactly(n, "depth", json, function(_, limits) return hcl.compile(json, { limits = limits, syntax = "json" }) end)
      local blocks = ("b {\n"):rep(n) .. ("}\n"):rep(n)
      exactly(n, "depth", blocks, function(_, limits) return hcl.parse(blocks, { limits = limits }) end)
      local named = ("list("):rep(n) .. "any" .. (")"):rep(n)
      exactly(n, "depth", named, function(_, limits) return hcl.type(named, { limits = limits }) end)
      local data, object = 1, 1
      for _ = 1, n do data, object = { data }, { k = object } end
      for _, x in ipairs { data, object } do
        exactly(n, "depth", "data", function(scope) return hcl.eval("x", { x = x }, scope) end)
        exactly(n, "depth", "encoded", function(_, limits) return hcl.encode(x, { limits = limits }) end)
      end
    end
    for _, flat in ipairs { "1 + y + y * y", "c ? x : c ? x : y", "a.b.c.d.e", "x.*.a.b", '"abc"', "f", "a && b && c || d" } do
      exactly(0, "depth", flat, function(_, limits) return hcl.compile(flat, { limits = limits }) end)
    end
  end)

  it("output, in bytes of strings, keys among them, and 16 for each element", function()
    local function size(x)
      if type(x) == "string" then return #x end
      local n = 0
      for key, element in pairs(type(x) == "table" and x or {}) do
        n = n + 16 + size(element) + (type(key) == "string" and #key or 0)
      end
      return n
    end
    for _, x in ipairs {
      "", "abc", "é", 12345, true, { "a", 1 }, { a = "xy", bb = { true } }, { {} }, { a = { b = { c = "d" } } }, { { "x" }, { y = "z" } },
      ("x"):rep(5000),
    } do
      local source = hcl.encode(x)
      exactly(size(x), "output", source, function(scope) return hcl.eval(source, nil, scope) end)
      exactly(size(x), "output", source, function(scope) return hcl.eval("x", { x = x }, scope) end)
      exactly(size(x), "output", source, function(scope) return hcl.eval("[x][0]", { x = hcl.value(x) }, scope) end)
    end
  end)
end)
