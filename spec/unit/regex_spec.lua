-- Patterns that are one set of characters are matched without RE2 (csrc/fn/regex_set.c). RE2 matches the same set in a group.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local lacking = support.lacking(hcl)
local random = support.random(47)

-- What a set and a text are made of: characters that mean something in a set, neighbours in ranges, and some beyond ASCII.
local items = { "a", "b", "z", "A", "0", "9", "-", "-", "^", "]", "[", "\\", "/", ".", "_", ":", " ", "\n", "\t", "~", "!", "a-z", "0-9",
  "A-Z", "!-/", "+-.", "\\]", "\\\\", "\\-", "\\d", "\195\169", "\226\130\172" }
local characters = { "a", "b", "m", "z", "A", "M", "0", "5", "9", "-", "^", "]", "[", "\\", "/", ".", "_", ":", " ", "\n", "\t", "~", "!",
  "+", ",", "\195\169", "\226\130\172", "\240\159\152\128" }

local function joined(list, n)
  local parts = {}
  for i = 1, n do parts[i] = list[random(#list)] end
  return table.concat(parts)
end

describe("a pattern that is one set", function()
  it("has the matches that RE2 finds", function()
    if lacking "regex()" then return pending "no RE2" end
    local both = hcl.assert(hcl.compile [[
      [for p in [set, "(?:${set})"] : try([regexall(p, text), replace(text, "/${p}/", "<$0>"), regex(p, text)], can(regexall(p, text)))]
    ]])
    local sets = 0
    for _ = 1, support.sample(3000, 100000) do
      local set = "[" .. (random(2) == 1 and "^" or "") .. joined(items, random(6)) .. "]"
      local v = hcl.assert(both:value { set = set, text = joined(characters, random(12)) })
      assert.equal(v:get(0), v:get(1), set)
      if v:get(0):type():kind() == "tuple" then sets = sets + 1 end
    end
    assert.truthy(sets > 1000, sets)
  end)

  it("costs the more the longer the text is", function()
    local scope = hcl.scope { limits = { steps = 5000 } }
    assert.equal(0, hcl.eval('length(regexall("[x]", text))', { text = ("a"):rep(1000) }, scope))
    local _, err = hcl.eval('length(regexall("[x]", text))', { text = ("a"):rep(1000000) }, scope)
    assert.equal("limit.steps", err[1].code)
  end)
end)
