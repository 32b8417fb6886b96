-- A long evaluation returns to Lua now and then, so that hooks and signals work.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")

-- LuaJIT runs hooks only in its interpreter.
local jit = rawget(_G, "jit")

-- More than a million iterations, without a callback.
local LONG = "length([for x in range(1000) : [for y in range(1000) : x * y]])"
local ample = { steps = 1e9, memory = 2 ^ 30 }
local scope = hcl.scope { limits = ample }

-- Calls f(…) with a hook that counts its calls and raises an error at the last of them. Returns the results of pcall, and the count.
local function interrupted(last, f, ...)
  local calls = 0
  if jit then
    jit.off()
    jit.flush() -- code that is already compiled calls no hooks
  end
  debug.sethook(function()
    calls = calls + 1
    if calls == last then error("interrupted!", 0) end
  end, "", 1)
  local ok, v, err = pcall(f, ...)
  debug.sethook()
  if jit then jit.on() end
  return ok, v, err, calls
end

local function expect_interrupted(f, ...)
  -- A separate call takes far fewer Lua instructions than this before and after the work. Finalizers that happen to run within one
  -- count, too.
  local calls = math.huge
  for _ = 1, 5 do calls = math.min(calls, (select(4, interrupted(1e9, hcl.eval, "1 + 1")))) end
  local ok, message = interrupted(calls + 100, f, ...)
  assert.same({ false, "interrupted!" }, { ok, message })
end

describe("a long evaluation", function()
  it("is interrupted by a hook that raises", function()
    local e = hcl.assert(hcl.compile(LONG))
    expect_interrupted(hcl.eval, LONG, nil, scope)
    expect_interrupted(e.eval, e, nil, scope)
    expect_interrupted(e.value, e, nil, scope)
    expect_interrupted(hcl.render, "${" .. LONG .. "}", nil, scope)
    expect_interrupted(hcl.decode, "a = " .. LONG, nil, scope)
    expect_interrupted(hcl.eval, "length([for x in range(1000) : templatestring(t, {})])",
      { t = "${length([for y in range(1000) : y * y])}" }, scope)
  end)

  it("leaves everything intact when it is interrupted", function()
    local e = hcl.assert(hcl.compile("[for t in data : " .. LONG .. "]"))
    for _ = 1, 5 do expect_interrupted(e.eval, e, { data = { { 1 }, { 2 } } }, scope) end
    support.collect()
    assert.same({ 1000, 1000 }, e:eval({ data = { { 1 }, { 2 } } }, scope))
    assert.equal(2, hcl.eval "1 + 1")
  end)

  it("gives the same with and without hooks, from data and names of any kind", function()
    local data, sum = {}, 0
    for i = 1, 300 do
      data[i] = { n = i }
      sum = sum + i
    end
    local asked = 0
    local with = hcl.scope { limits = ample, lookup = function(ref)
      asked = asked + 1
      return ref.root == "two" and 2 or nil
    end }
    local source = "sum([for a in data : sum([for b in data : a.n * two])]) + lazy.x"
    local lazy = { x = hcl.lazy(function() return 1 end) }
    for _, vars in ipairs { { data = data, lazy = lazy }, { data = hcl.value(data), lazy = { x = 1 } } } do
      assert.equal(2 * 300 * sum + 1, hcl.assert(hcl.eval(source, vars, with)))
    end
    assert.equal(2, asked)
  end)

  it("runs other evaluations in a hook", function()
    local seen = 0
    if jit then jit.off() end
    debug.sethook(function()
      seen = seen + 1
      if seen == 300 then seen = hcl.eval("seen + " .. LONG, { seen = seen }, scope) end
    end, "", 1)
    local v = hcl.eval(LONG, nil, scope)
    debug.sethook()
    if jit then jit.on() end
    assert.equal(1000, v)
    assert.truthy(seen >= 1300)
  end)

  -- How often a hook is called during an evaluation that counts so many instructions. LuaJIT may compile as it likes.
  local function hooked(count, f, ...)
    local calls = 0
    debug.sethook(function() calls = calls + 1 end, "", count)
    local ok, v = pcall(f, ...)
    debug.sethook()
    assert.is_true(ok, tostring(v))
    return calls
  end

  it("counts as instructions for a hook: it takes more than a million steps, and a slice has 20,000", function()
    local e = hcl.assert(hcl.compile(LONG))
    assert.is_true(hooked(1000, e.eval, e, nil, scope) >= 50)
    assert.is_true(hooked(100000, e.eval, e, nil, scope) >= 10)
    local seldom = hooked(1e6, e.eval, e, nil, scope)
    assert.is_true(seldom >= 1 and seldom <= 10, seldom)
    assert.equal(0, hooked(1e9, e.eval, e, nil, scope))
    local few = hcl.assert(hcl.compile "length([for x in range(100) : x])")
    assert.is_true(hooked(1e5, few.eval, few) <= 1)
  end)

  it("is stopped by a hook that counts, and by one that evaluates", function()
    local e = hcl.assert(hcl.compile(LONG))
    local calls = 0
    debug.sethook(function()
      calls = calls + 1
      if calls == 20 then error({ "late" }, 0) end
    end, "", 1000)
    local ok, message = pcall(e.eval, e, nil, scope)
    debug.sethook()
    assert.same({ false, { "late" } }, { ok, message })
    local depth, deepest = 0, 0
    debug.sethook(function()
      depth = depth + 1
      deepest = math.max(deepest, depth)
      if depth < 10 and calls < 25 then
        calls = calls + 1
        assert(e:eval(nil, scope) == 1000)
      end
      depth = depth - 1
    end, "", 10000)
    ok, message = pcall(e.eval, e, nil, scope)
    debug.sethook()
    assert.same({ true, 1000 }, { ok, message })
    assert.is_true(deepest >= 1 and deepest <= 3, deepest)
  end)

  it("does not yield", function()
    local co = coroutine.create(function() return hcl.eval(LONG, nil, scope) end)
    local ok, v = coroutine.resume(co)
    assert.same({ true, 1000, "dead" }, { ok, v, coroutine.status(co) })
  end)
end)
