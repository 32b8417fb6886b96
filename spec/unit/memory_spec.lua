-- Memory: the n-th allocation failing gives a clean error, and nothing is held for longer than it is needed.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local testing = require "hclexpr.testing"

local function with_failures(fn)
  return support.with_failures(testing, fn)
end

describe("an allocation that fails", function()
  it("in hcl.eval", function()
    local v = with_failures(function()
      return hcl.eval('[for k, x in v : "${k}-${upper(x)}" if x != "b"]', { v = { "a", "b", "c" } })
    end)
    assert.same({ "0-A", "2-C" }, v)
  end)

  it("in a diagnostic", function()
    with_failures(function()
      local v, err = hcl.eval("nope + 1", { nape = 1 })
      assert(v == nil)
      return tostring(err)
    end)
  end)

  it("in callbacks", function()
    local v = with_failures(function()
      local scope = hcl.scope {
        lookup = function(ref) return { b = ref.root } end,
        functions = { f = function(x) return { x, hcl.value { x } } end },
      }
      return hcl.eval("[f(1), a.b, z]", { z = function() return { 1, 2 } end }, scope)
    end)
    assert.same({ { 1, { 1 } }, "a", { 1, 2 } }, v)
  end)

  it("in bodies", function()
    local source = 'a = 1\ndynamic "b" {\n  for_each = l\n  labels = [b.key]\n  content {\n    v = b.value\n  }\n}\nb "x" {\n}\n'
    local schema = {
      attributes = { a = { type = "number" }, c = { default = { 1 } } },
      blocks = { b = { labels = { "n" }, schema = { attributes = { v = {} } } } },
    }
    local variables = { l = { "p", "q" } }
    local t = with_failures(function() return hcl.decode(source, variables) end)
    assert.same({ a = 1, b = { ["0"] = { { v = "p" } }, ["1"] = { { v = "q" } }, x = { {} } } }, t)
    t = with_failures(function()
      local body, err = hcl.parse(source)
      if not body then return nil, err end
      return body:decode(schema, variables)
    end)
    assert.same({ a = 1, c = { 1 }, b = { { n = "0", v = "p" }, { n = "1", v = "q" }, { n = "x" } } }, t)
    local v = with_failures(function()
      local body, err = hcl.parse(source)
      if body then body, err = body:expand(variables) end
      if not body then return nil, err end
      return body.blocks[2].body.attributes.v:value()
    end)
    assert.equal("q", v:text())
    t = with_failures(function()
      local body, err = hcl.parse('{"a": "${1}", "b": {"x": [{"v": "y\\n${l[0]}"}]}}', { syntax = "json" })
      if not body then return nil, err end
      return body:decode(schema, variables)
    end)
    assert.same({ a = 1, c = { 1 }, b = { { n = "x", v = "y\np" } } }, t)
  end)

  it("in values and types", function()
    with_failures(function()
      local v, err = hcl.value({ a = { 1, 2 }, b = "x" }, "object({ a = list(string), b = string })")
      if not v then return nil, err end
      return tostring(v) .. v:type():json() .. tostring(v:get "a") .. tostring(hcl.sensitive(v))
    end)
  end)

  it("in hcl.format", function()
    local source = ("a = { # 1\nbbb=2#3\n}\n" .. '"${'):rep(2000)
    local wanted = hcl.format(source)
    assert.equal(wanted, (with_failures(function() return hcl.format(source) end)))
  end)

  it("in bodies", function()
    with_failures(function()
      local body, err = hcl.parse 'a = 1 + 2\nb "c" { d = [1, 2] }\n'
      if not body then return nil, err end
      return body.attributes.a:eval() + #body.blocks[1].body.attributes.d:eval()
    end)
  end)
end)

describe("an allocation that fails in a tool", function()
  -- Lua 5.1 doesn't load a module again that failed to load once.
  setup(function()
    hcl.encode(1, { attributes_only = true })
    hcl.edit ""
    hcl.spec ""
  end)

  it("leaves source text or an error", function()
    local text = with_failures(function()
      return hcl.encode({ a = { 1, "x" }, b = { { n = "y", c = hcl.null } } },
        { blocks = { b = { labels = { "n" }, schema = { attributes = { c = {} } } } } })
    end)
    assert.equal('a = [1, "x"]\n\nb "y" {\n  c = null\n}\n', text)
  end)

  it("leaves an edit or an error", function()
    local text = with_failures(function()
      local edit, err = hcl.edit 'a = 1\nb "x" {\n  c = a\n}\n'
      if not edit then return nil, err end
      for _, step in ipairs { { "set", "b.x.c", "2" }, { "rename", 'b["x"]', "y" }, { "append", "b.y", "d = 3" }, { "remove", "a" } } do
        local done, why = edit[step[1]](edit, step[2], step[3])
        if not done then return nil, why end
      end
      return tostring(edit)
    end)
    assert.equal('b "y" {\n  c = 2\n  d = 3\n}\n', text)
  end)

  it("leaves a Value by a specification or an error", function()
    local text = with_failures(function()
      local spec, err = hcl.spec 'block_map {\n block_type = "b"\n labels = ["n"]\n attr {\n name = "c"\n type = number\n }\n}\n'
      if not spec then return nil, err end
      local body, why = hcl.parse 'b "x" {\n c = 1\n}\ndynamic "b" {\n for_each = ["y"]\n labels = [b.value]\n content {}\n}\n'
      if not body then return nil, why end
      local value, wrong = spec:decode(body)
      if value == nil then return nil, wrong end
      return tostring(value:get "x") .. tostring(value:get "y") .. tostring(value)
    end)
    assert.equal("1", text:sub(1, 1))
  end)

  it("leaves the text of a Value or an error", function()
    assert.equal('["a"]', (with_failures(function() return (tostring(hcl.value { "a" }):gsub("%s", ""):gsub(",", "")) end)))
  end)
end)

describe("an allocation that fails in JSON", function()
  local source = [[{"a": ["x${n}", "\u0024{n}", 1.5], "${k}": {"b": null, "c": "\u00e9"}}]]

  it("leaves an expression or an error", function()
    local v = with_failures(function()
      local expr, err = hcl.compile(source, { syntax = "json" })
      if not expr then return nil, err end
      local refs = expr:references()
      assert(#refs == 3)
      return expr:eval { n = 1, k = "k" }
    end)
    assert.same({ a = { "x1", 1, 1.5 }, k = { b = hcl.null, c = "\195\169" } }, v)
  end)

  it("leaves a body or an error", function()
    with_failures(function()
      local body, err = hcl.parse(source, { syntax = "json" })
      if not body then return nil, err end
      return body.attributes.a:eval { n = 1 }
    end)
  end)

  it("leaves a diagnostic", function()
    with_failures(function()
      local expr, err = hcl.compile([["\u00e9 ${nope"]], { syntax = "json" })
      assert(expr == nil)
      return tostring(err)
    end)
  end)
end)

-- How often the collector goes through all there is while f runs; not in generations, where that is another thing.
local function cycles_of(f)
  local cycles, on = 0, true
  local function count()
    if not on then return end
    cycles = cycles + 1
    if newproxy then
      getmetatable(newproxy(true)).__gc = count
    else
      setmetatable({}, { __gc = count })
    end
  end
  local has_modes, mode = pcall(collectgarbage, "incremental")
  support.collect()
  count()
  cycles = 0
  f()
  on = false
  if has_modes and mode == "generational" then collectgarbage(mode) end
  return cycles
end

-- Bytes that the process holds; nil where the system doesn't say so, or a sanitizer keeps what is freed.
local function resident()
  local file = not os.getenv "ASAN_OPTIONS" and io.open "/proc/self/statm"
  if not file then return nil end
  local pages = file:read "*l":match "^%d+ (%d+)"
  file:close()
  return tonumber(pages) * 4096
end

describe("memory", function()
  local function evaluate_large(n)
    local list = {}
    for i = 1, n do list[i] = "item " .. i end
    hcl.assert(hcl.eval("[for x in xs : \"${x}!\"]", { xs = list }))
  end

  it("of a large evaluation is let go when those after it don't need it", function()
    evaluate_large(20000)
    for _ = 1, 32 do hcl.eval "1 + 1" end
    assert.is_true(testing.held() <= 3 * 65536)
  end)

  it("that large evaluations leave for each other is bounded", function()
    for _ = 1, support.sample(2, 5) do
      evaluate_large(200000)
      assert.is_true(testing.held() <= 2 * (8 * 2 ^ 20 + 65536))
    end
  end)

  it("of a text that is too long for the limit is let go", function()
    -- A thousand times 900 levels, each on a line of its own, indented by two more: 800 MB.
    local deep = {}
    for _ = 1, 900 do deep = { deep } end
    local list, value = {}, hcl.assert(hcl.value(deep))
    for i = 1, 1000 do list[i] = value end
    local whole = hcl.assert(hcl.value(list))
    local held = testing.held(whole)
    for _ = 1, 2 do assert.equal("tuple with 1000 elements", tostring(whole)) end
    assert.is_true(testing.held(whole) <= held + 65536)
  end)

  -- They stay with their thread for who evaluates them again.
  it("of patterns is bounded, whatever their automata grow to", function()
    if support.lacking(hcl) 'regex("a", "a")' or not resident() or not support.all_cases then return end
    local scope, bits, turn = hcl.scope { limits = { steps = 1e9 } }, {}, 1
    for i = 1, 60000 do
      turn = (turn * 16807) % 2147483647
      bits[i] = turn % 65536 < 32768 and "a" or "b"
    end
    local text, count = table.concat(bits), hcl.compile "length(regexall(pattern, text))"
    local before = resident()
    for i = 1, 60 do assert(count:eval({ pattern = ("[ab]*a[ab]{13}[c-d]{%d}"):format(i), text = text }, scope) == 0) end
    assert.is_true(resident() - before < 40 * 2 ^ 20)
  end)

  it("that patterns had leaves each of them what it is", function()
    if support.lacking(hcl) 'regex("a", "a")' then return end
    local find = hcl.compile 'try(regex(pattern, text), "none")'
    for _ = 1, 3 do
      for i = 1, 200 do
        local pattern = ("^x%d(?:a|b)$"):format(i)
        assert.equal("x" .. i .. "a", find:eval { pattern = pattern, text = "x" .. i .. "a" })
        assert.equal("none", find:eval { pattern = pattern, text = "x" .. i .. "c" })
      end
    end
  end)

  it("of a large Value is little more than its parts come to", function()
    local texts, object, n = {}, {}, 100000
    for i = 1, n do
      texts[i] = ("%016d"):format(i * 7919 % n) -- 16 bytes, as every value has, and as many of text
      object[texts[i]] = i
    end
    assert.is_true(testing.held(hcl.value(texts, "set(string)")) < 32 * n + 1.5 * 2 ^ 20)
    -- keys, their texts, values, and a table of four bytes for each of 2^18 slots
    assert.is_true(testing.held(hcl.value(object)) < 48 * n + 2 ^ 20 + 1.5 * 2 ^ 20)
    assert.is_true(testing.held(hcl.value { some = { object = object } }) < 48 * n + 2 ^ 20 + 1.5 * 2 ^ 20)
  end)

  it("that Values share is not copied", function()
    local texts, same = {}, {}
    for i = 1, 10000 do texts[i] = ("%016d"):format(i * 7919 % 10000) end
    local set = hcl.value(texts, "set(string)")
    for i = 1, 100 do same[i] = set end
    local all = hcl.value(same)
    assert.is_true(testing.held(all) < 65536)
    assert.equal(100 * 10000, hcl.eval("sum([for s in all : length(s)])", { all = all }))
  end)

  it("of many Values is collected", function()
    local before = collectgarbage "count"
    for _ = 1, 20000 do hcl.value { "some text", { 1, 2, 3 } } end
    support.collect()
    assert.is_true(collectgarbage "count" - before < 2000)
  end)

  it("of scopes that refer to themselves is collected", function()
    local gone = setmetatable({}, { __mode = "k" })
    do
      local scope
      scope = hcl.scope { functions = { f = function() return scope and 1 or 0 end }, lookup = function() return tostring(scope) end }
      assert.equal(1, hcl.eval("f()", nil, scope))
      gone[scope] = true
    end
    support.collect()
    assert.is_nil(next(gone))
  end)

  it("of a suspended evaluation is told to the collector once, not at each suspension", function()
    local list, scope = {}, hcl.scope { functions = { f = function(x) return x end } }
    for i = 1, 3000 do list[i] = i end
    local seen = cycles_of(function()
      hcl.assert(hcl.eval('[for x in list : "${f(x)}${text}"]', { list = list, text = ("x"):rep(1000) }, scope))
    end)
    -- 3 MB are made, and told: a few collections, not one for each call.
    assert.is_true(seen < 200, seen)
  end)

  it("of many Expressions is collected, but not more often than the heap is worth", function()
    support.collect()
    local heap = collectgarbage "count" * 1024
    -- A program takes a kilobyte at least, which Lua's own count doesn't hold; what Lua counts of it is less than a tenth of that.
    local seen = cycles_of(function()
      for _ = 1, 6 * heap / 1024 do hcl.compile "var.a * 3 + var.b / 2 - 1" end
    end)
    assert.is_true(seen >= 2, seen)
    assert.is_true(seen <= 12, seen)
  end)

  it("is told to the collector only while that works", function()
    if not pcall(collectgarbage, "isrunning") then return pending "this Lua can't be asked" end
    support.collect()
    local enough = 6 * collectgarbage "count" / 64
    local function grow()
      for _ = 1, enough do hcl.value(("x"):rep(65536)) end
    end
    local stopped = cycles_of(function()
      collectgarbage "stop"
      grow()
      collectgarbage "restart"
    end)
    assert.equal(0, stopped)
    assert.is_true(cycles_of(grow) > 0)
  end)

  it("of an Expression that went with hcl.eval is no work for the collector", function()
    support.collect()
    local heap = collectgarbage "count" * 1024
    local seen = cycles_of(function()
      for _ = 1, 4 * heap / 1024 do hcl.eval "1 + 1" end
    end)
    assert.is_true(seen <= 1, seen)
  end)
end)
