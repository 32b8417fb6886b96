-- Configurations that are queried at a place in a file, as by an editor, and that pause to let other work run.
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local hcl = require "hclexpr"
local language = require "hclexpr.language"

local tea = language {
  name = "tea", files = { "*.tea" }, blocks = {
    pot = { labels = { "name" }, address = "pot.{name}", for_each = true, attributes = { size = "number", full = "number" },
            blocks = { cup = { attributes = { size = "number" } } } },
    tray = { attributes = { n = "number" } },
  },
}

local TEXT = [[
pot "a" {
  size = 3
  full = self.size * 2
  cup {
    size = parent.size + 1
  }
}
pot "b" {
  for_each = { x = 1 }
  size     = each.value
}
pot "c" {
  for_each = { x = 1, y = 2 }
  size     = each.value
}
tray {
  n = 7
}
]]

local function at(words) return { filename = "a.tea", byte = TEXT:find(words, 1, true) - 1 } end

describe("A configuration", function()
  local conf = tea:open { { path = "a.tea", text = TEXT } }

  it("knows the names of the innermost block at a place", function()
    assert.equal(3, conf:eval("self.size", at "size = 3"))
    assert.equal(4, conf:eval("self.size", at "size = parent"))
    assert.equal(3, conf:eval("parent.size", at "size = parent"))
    assert.equal(7, conf:eval("self.n", at "n = 7"))
    assert.equal(1, conf:eval("each.value", at "size     = each"))
    assert.equal("6", conf:value("self.full", at "full"):text())
    assert.truthy(tostring(conf:explain("self.size + self.full", at "full")):find("self.full", 1, true))
  end)

  it("has no such names elsewhere, and none of several instances", function()
    for _, where in ipairs { { filename = "a.tea" }, { filename = "b.tea", byte = 12 }, { filename = "a.tea", byte = #TEXT } } do
      local value, err = conf:eval("self.size", where)
      assert.is_nil(value)
      assert.equal("reference.unknown", err[1].code)
    end
    local last = { filename = "a.tea", byte = TEXT:find('pot "c"', 1, true) }
    local value, err = conf:eval("each.value", last)
    assert.is_nil(value)
    assert.truthy(err[1].detail:find("2 instances", 1, true))
    assert.error_matches(function() conf:eval("1", { line = 3 }) end, "unknown option 'line'")
  end)

  it("pauses often on request, and continues", function()
    local pauses = 0
    local function ask()
      local checked = configuration.check(assert(description.of(tea)), { { path = "a.tea", text = TEXT, syntax = "native" } },
        { pause = function() pauses = pauses + 1 coroutine.yield() end })
      return checked:values()
    end
    local thread = coroutine.create(ask)
    local result
    repeat
      local fine, values = coroutine.resume(thread)
      assert(fine, values)
      result = values
    until coroutine.status(thread) == "dead"
    assert.is_true(pauses > 8, pauses)
    assert.equal(6, hcl.assert(result).pot[1].full)
  end)
end)
