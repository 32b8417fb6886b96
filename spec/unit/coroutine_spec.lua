-- Callbacks that yield, on every Lua. Each case runs in its own coroutine.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local run = support.drive

-- f(x) yields x and returns the value that it is resumed with.
local asking = hcl.scope { functions = { f = function(x) return coroutine.yield(x) end } }

local function double(x)
  return x * 2
end

describe("a callback that yields", function()
  it("may be a function", function()
    local v = run(function() return hcl.eval("[for x in [1, 2, 3] : f(x) + 1]", nil, asking) end, double)
    assert.same({ 3, 5, 7 }, v)
  end)

  it("may be a lookup or a lazy value", function()
    local scope = hcl.scope { lookup = function(ref) return coroutine.yield(#ref.path) end }
    local v = run(function()
      return hcl.eval("a.b + z", { z = function() return coroutine.yield(10) end }, hcl.scope { parent = scope })
    end, function(x) return x == 3 and { b = 100 } or double(x) end)
    assert.equal(120, v)
  end)

  it("may be a returns function", function()
    local scope = hcl.scope { functions = { f = hcl.func {
      params = { { name = "x", type = "any" } },
      returns = function() return coroutine.yield "type" end,
      impl = function(x) return coroutine.yield(x) end,
    } } }
    local v = run(function() return hcl.assert(hcl.compile "f(5)"):value(nil, scope) end,
      function(x) return x == "type" and "string" or x end)
    assert.equal("string", v:type():kind())
    assert.equal("5", v:text())
  end)

  it("may be in test, value and render", function()
    assert.equal("4!", run(function() return hcl.render("${f(2)}!", nil, asking) end, double))
    assert.equal(true, run(function() return hcl.assert(hcl.compile "f(2) == 4"):test(nil, asking) end, double))
  end)
end)

describe("an Expression", function()
  it("is evaluated by many coroutines at once", function()
    local e = hcl.assert(hcl.compile "f(n) + m.k + f(n)")
    local all = {}
    for i = 1, 50 do
      all[i] = support.suspended(function() return e:eval({ n = i, m = { k = 1000 * i } }, asking) end)
    end
    for round = 1, 2 do
      for i = 50, 1, -1 do
        local ok, v = coroutine.resume(all[i], i * round)
        assert(ok, v)
        if round == 2 then assert.equal(i + 1000 * i + 2 * i, v) end
      end
    end
  end)

  it("may be dropped half-way", function()
    for _ = 1, 200 do support.suspended(function() return hcl.eval("[for x in range(5) : f(x)]", nil, asking) end) end
    support.collect()
    assert.equal(2, hcl.eval "1 + 1")
  end)

  it("keeps its data while it waits", function()
    local vars = { big = { { n = 1 }, { n = 2 } }, v = hcl.value { k = "kept" } }
    local scope = hcl.scope { functions = { f = function(x) coroutine.yield(x) return x end } }
    local v = run(function() return hcl.eval('[for x in big : [v.k, f(x.n)][0]]', vars, scope) end, function()
      vars.v, vars.big = nil, nil
      support.collect()
    end)
    assert.same({ "kept", "kept" }, v)
  end)
end)
