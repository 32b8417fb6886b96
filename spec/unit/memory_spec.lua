-- Memory: nothing is held for longer than needed. torture_spec.lua tests that allocations may fail at any point.
local core = require "hclexpr.core"
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local testing = require "hclexpr.testing"
local cli = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../command.lua")

-- The number of full cycles of the collector while f runs; not in generational mode, where a cycle means something else.
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

-- Memory of the process in bytes; nil if the system doesn't report it, or a sanitizer keeps freed memory.
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

  it("of a large evaluation is freed when later ones don't need it", function()
    evaluate_large(20000)
    for _ = 1, 32 do hcl.eval "1 + 1" end
    assert.is_true(testing.held() <= 3 * 65536)
  end)

  it("that large evaluations keep for each other is bounded", function()
    for _ = 1, support.sample(2, 5, 1) do
      evaluate_large(200000)
      assert.is_true(testing.held() <= 2 * (8 * 2 ^ 20 + 65536))
    end
  end)

  it("of a text that is too long for the limit is freed", function()
    -- A thousand times 900 levels, each on its own line, indented by two more: 800 MB.
    local deep = {}
    for _ = 1, 900 do deep = { deep } end
    local list, value = {}, hcl.assert(hcl.value(deep))
    for i = 1, 1000 do list[i] = value end
    local whole = hcl.assert(hcl.value(list))
    local held = testing.held(whole)
    for _ = 1, 2 do assert.equal("tuple with 1000 elements", tostring(whole)) end
    assert.is_true(testing.held(whole) <= held + 65536)
  end)

  -- They stay with their thread for later evaluations.
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

  it("that patterns used doesn't change any of them", function()
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

  it("of a large Value is little more than that of its parts", function()
    local texts, object, n = {}, {}, 100000
    for i = 1, n do
      texts[i] = ("%016d"):format(i * 7919 % n) -- 16 bytes, as for every value, and the same for text
      object[texts[i]] = i
    end
    assert.is_true(testing.held(hcl.value(texts, "set(string)")) < 32 * n + 1.5 * 2 ^ 20)
    -- keys, their texts, values, and a table of four bytes for each of 2^18 slots
    assert.is_true(testing.held(hcl.value(object)) < 48 * n + 2 ^ 20 + 1.5 * 2 ^ 20)
    assert.is_true(testing.held(hcl.value { some = { object = object } }) < 48 * n + 2 ^ 20 + 1.5 * 2 ^ 20)
  end)

  it("of a small Value is less than a kilobyte", function()
    assert.is_true(testing.held(hcl.value { id = "123", triggers = { a = "value 1", b = "xxxxxxxxxxxxxxxxxxxx" } }) < 1024)
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

  it("of a suspended evaluation is reported to the collector once, not at each suspension", function()
    local list, scope = {}, hcl.scope { functions = { f = function(x) return x end } }
    for i = 1, 3000 do list[i] = i end
    local seen = cycles_of(function()
      hcl.assert(hcl.eval('[for x in list : "${f(x)}${text}"]', { list = list, text = ("x"):rep(1000) }, scope))
    end)
    -- 3 MB are made, and reported: a few collections, not one for each call.
    assert.is_true(seen < 200, seen)
  end)

  it("of many Expressions is collected, but not more often than the heap is worth", function()
    support.collect()
    local heap = collectgarbage "count" * 1024
    -- A program takes at least a kilobyte that Lua's own count doesn't include; Lua counts less than a tenth of that for it.
    local seen = cycles_of(function()
      for _ = 1, 6 * heap / 1024 do hcl.compile "var.a * 3 + var.b / 2 - 1" end
    end)
    assert.is_true(seen >= 2, seen)
    assert.is_true(seen <= 12, seen)
  end)

  it("of the whole of a family is reported each time that it is made", function()
    support.collect()
    local heap, family, other = collectgarbage "count" * 1024, core.family("numbers", 4096), hcl.value(0)
    family[4095] = other
    local seen = cycles_of(function()
      for _ = 1, 6 * heap / (16 * 4096) do core.family_value(family, other) end
    end)
    assert.is_true(seen >= 2, seen)
  end)

  it("of blocks is in a region of their own, until the state is closed", function()
    -- Texts and tables of sizes around those of the region, more of them than it holds; some are freed, and their places used again. Each
    -- fiftieth text is long.
    local script = [[local core = require "hclexpr.core" core.pool_blocks()
      local function text_of(size) return ("%d"):format(size % 10):rep(size % 50 == 0 and 100 * size or size) end
      local kept, n = {}, 0
      for turn = 1, 40 do
        for size = 1, 700 do
          kept[size + 700 * (turn % 20)] = { text_of(size) .. turn, { size, turn, x = size } }
        end
      end
      local large = {}
      for i = 1, 300000 do large[i] = ("block %d"):format(i):rep(20) end
      for at, pair in pairs(kept) do
        local size = (at - 1) % 700 + 1
        local turn = tonumber(pair[1]:sub(#text_of(size) + 1))
        if pair[1] == text_of(size) .. turn and pair[2][1] == size and pair[2][2] == turn then n = n + 1 end
      end
      for i = 1, 300000 do if large[i] ~= ("block %d"):format(i):rep(20) then n = 0 end end
      print(n) io.stdout:flush()
      error "the end" ]]
    local shown = support.output(("cd %s && { %s -e %s; echo $?; } 2>&1"):format(cli.root, cli.quote(cli.program), cli.quote(script)))
    assert.matches("^14000\n.*the end.*\n1\n$", shown)
  end)

  it("of the core is in the region of the blocks, too", function()
    -- Values of all sizes, which are freed and made again, and more of them than the region holds.
    local script = [[local core, hcl = require "hclexpr.core", require "hclexpr" core.pool_blocks()
      local kept, n = {}, 0
      for turn = 1, 3 do
        for size = 1, 200 do
          local source = ("[for i in range(%d) : \"${i} of a list\"]"):format(size * turn)
          kept[size] = hcl.compile(source):value()
        end
        collectgarbage()
      end
      local more = {}
      for i = 1, 300 do more[i] = hcl.value(("x"):rep(2 ^ (i % 18))) end
      for size, v in ipairs(kept) do if v:get(3 * size - 1):text() == 3 * size - 1 .. " of a list" then n = n + 1 end end
      for i, v in ipairs(more) do if #v:text() == 2 ^ (i % 18) then n = n + 1 end end
      print(n)]]
    assert.equal("500\n", support.output(("cd %s && %s -e %s 2>&1"):format(cli.root, cli.quote(cli.program), cli.quote(script))))
  end)

  it("grows by the room that a command has before it is collected", function()
    if not math.type then return pending "only Lua 5.3 and later have such a step" end
    local seen = cycles_of(function()
      core.set_room(64 * 2 ^ 20)
      local list = {}
      for i = 1, 200000 do list[i] = { i } end
      core.set_room(0)
      assert.equal(200000, #list)
    end)
    support.collect()
    assert.equal(0, seen)
  end)

  it("grows by its own size at most before it is collected, beyond the room that a command has", function()
    local has_modes, mode = pcall(collectgarbage, "incremental")
    local pause, kept, most = collectgarbage("setpause", 1000), {}, 0
    core.set_room(2 ^ 20)
    for i = 1, 100000 do kept[i] = { i } end
    local function litter(n)
      for _ = 1, n do
        hcl.value { ("x"):rep(400), { 1 } }
        most = math.max(most, collectgarbage "count")
      end
    end
    -- The pause that is set when a cycle ends counts.
    litter(1000)
    support.collect()
    local live = collectgarbage "count"
    most = 0
    -- Some hundred bytes each, in C and in Lua: several times the live memory.
    litter(6 * live)
    core.set_room(0)
    collectgarbage("setpause", pause)
    if has_modes and mode == "generational" then collectgarbage(mode) end
    assert.equal(100000, #kept)
    assert.is_true(most < 3 * live, ("%.0f of %.0f"):format(most, live))
  end)

  it("is reported to the collector only while that runs", function()
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
    -- A cycle may only have begun. Unreported memory alone would never be enough for one, however often this is repeated.
    local seen = 0
    for _ = 1, 5 do seen = seen > 0 and seen or cycles_of(grow) end
    assert.is_true(seen > 0)
  end)

  it("of an Expression that hcl.eval has released costs the collector no work", function()
    support.collect()
    local heap = collectgarbage "count" * 1024
    local seen = cycles_of(function()
      for _ = 1, 4 * heap / 1024 do hcl.eval "1 + 1" end
    end)
    assert.is_true(seen <= 1, seen)
  end)
end)
