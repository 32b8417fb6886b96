-- Collections that are completely literal: constants of the program, with the values that the machine would have made.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local testing = require "hclexpr.testing"

-- Pairs of the same value: literal, and with names as the innermost parts.
local PAIRS = {
  { "[]", "[for x in none : x]" },
  { "{}", "{for k, v in none : k => v}" },
  { '[1, "a", true, null]', "[one, a, yes, nothing]" },
  { "[[], {}, [[]]]", "[none, {for k, v in none : k => v}, [none]]" },
  { '{b = 1, a = "a", "c d" = null}', '{b = one, a = a, "c d" = nothing}' },
  { "[{k = 1}, {k = 2}, {k = [1]}]", "[{k = one}, {k = one + one}, {k = [one]}]" },
  { "[-1, 0.1, 1e30, -0]", "[-one, one / 10, one * 1e30, -(one - one)]" },
  { '["e\204\129"]', '["e${accent}"]' },
  { "{a = {b = {c = [1, {d = true}]}}}", "{a = {b = {c = [one, {d = yes}]}}}" },
}

local function variables()
  return { one = 1, a = "a", yes = true, nothing = hcl.null, none = hcl.array {}, accent = "\204\129" }
end

local function instructions(expr)
  local _, n = testing.code(expr):gsub("\n", "")
  return n
end

describe("a literal collection", function()
  for _, pair in ipairs(PAIRS) do
    it("is a constant: " .. pair[1], function()
      assert.equal(2, instructions(hcl.assert(hcl.compile(pair[1]))))
    end)

    it("equals the same with names: " .. pair[1], function()
      local literal = hcl.assert(hcl.compile(pair[1]):value())
      local made = hcl.assert(hcl.compile(pair[2]):value(variables()))
      assert.equal(made, literal)
      assert.equal(tostring(made), tostring(literal))
      assert.equal(made:type():json(), literal:type():json())
      assert.same(made:lua(), literal:lua())
    end)
  end

  it("is a constant also within a part that isn't literal", function()
    assert.equal(4, instructions(hcl.compile "[[1, 2, {a = [3]}], x]"))
    assert.same({ { 1, 2, { a = { 3 } } }, 4 }, hcl.eval("[[1, 2, {a = [3]}], x]", { x = 4 }))
  end)

  it("isn't literal if a key occurs twice: the last value counts", function()
    assert.same({ a = 2 }, hcl.eval "{a = 1, a = 2}")
  end)

  it("may nest as deeply as others", function()
    local source = ("["):rep(1000) .. ("]"):rep(1000)
    assert.equal(2, instructions(hcl.compile(source)))
  end)

  it("has its limits", function()
    assert.equal("limit.output", support.code(hcl.eval(("[1, 2, 3]"), nil, hcl.scope { limits = { output = 32 } })))
    assert.equal("limit.memory", support.code(hcl.eval(("[1, 2, 3]"), nil, hcl.scope { limits = { memory = 32 } })))
  end)
end)
