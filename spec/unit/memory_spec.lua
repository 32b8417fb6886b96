-- Memory: the n-th allocation failing gives a clean error, and nothing is held for longer than it is needed.
local hcl = require "hclexpr"
local testing = require "hclexpr.testing"

-- Runs fn with the 1st, 2nd, … allocation failing until it succeeds; each failure must be clean.
local function with_failures(fn)
  for n = 1, 10000 do
    testing.fail_after(n)
    local before = testing.allocations()
    local ok, v, err = pcall(fn)
    testing.fail_after(0)
    if testing.allocations() - before < n then
      assert(ok, v)
      return v, n
    end
    if not ok then
      assert.truthy(tostring(v):find("memory", 1, true), tostring(v))
    elseif v == nil then
      assert.equal("string", type(tostring(err)))
      assert.is_not_nil(err[1])
    end
  end
  error "it never succeeded"
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

  it("in values and types", function()
    with_failures(function()
      local v, err = hcl.value({ a = { 1, 2 }, b = "x" }, "object({ a = list(string), b = string })")
      if not v then return nil, err end
      return tostring(v) .. v:type():json() .. tostring(v:get "a") .. tostring(hcl.sensitive(v))
    end)
  end)

  it("in bodies", function()
    with_failures(function()
      local body, err = hcl.parse 'a = 1 + 2\nb "c" { d = [1, 2] }\n'
      if not body then return nil, err end
      return body.attributes.a:eval() + #body.blocks[1].body.attributes.d:eval()
    end)
  end)
end)

describe("memory", function()
  it("of a large evaluation is let go at its end", function()
    local list = {}
    for i = 1, 20000 do list[i] = "item " .. i end
    hcl.assert(hcl.eval("[for x in xs : \"${x}!\"]", { xs = list }))
    assert.is_true(testing.held() <= 3 * 65536)
  end)

  it("of many Values is collected", function()
    local before = collectgarbage "count"
    for _ = 1, 20000 do hcl.value { "some text", { 1, 2, 3 } } end
    collectgarbage()
    collectgarbage()
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
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(gone))
  end)
end)
