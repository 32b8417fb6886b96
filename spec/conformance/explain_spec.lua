-- A program that records the values of its parts gives the same result as the ordinary one, for every recorded case. So does each part
-- by itself; no part is lost.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local runner = dofile(support.here() .. "runner.lua")

local FILES = {
  "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "unknown_marks", "fuzz", "language_corners",
  "func_collection", "func_corners", "func_templatestring",
}
local ONE_IN = support.sample(3, 1)

-- Parts that may be missing: those that aren't evaluated or are evaluated repeatedly, secrets, and types.
local LEAVE_OUT = { "%?", "for", "%*", "&&", "||", "try", "can", "%%{", "sensitive", "convert" }

local function place(range) return range and range.start.byte .. "-" .. range.stop.byte or "" end

-- Each part outside of loops has the value of its source, if that is an expression. The text between `%{` and `%{` is a string.
local function compare_parts(node, scope, case, places)
  for _, child in ipairs(node.children) do
    places[place(child.range)] = true
    local expr = child.value ~= nil and child.kind ~= "turn" and not case.src:find "%%{" and hcl.compile(child.source)
    local value = expr and expr:value(nil, scope)
    if value then
      assert.equal(tostring(value), tostring(child.value), case.id .. ": " .. child.source)
      -- A template that consists of one value is written as that value.
      if child.kind ~= "template" then assert.equal(tostring(value:type()), tostring(child.value:type()), case.id) end
    end
    if child.kind ~= "turn" then compare_parts(child, scope, case, places) end
  end
end

-- Each name with its steps is a part.
local function find_names(expr, places, case)
  for _, pattern in ipairs(LEAVE_OUT) do
    if case.src:find(pattern) then return end
  end
  for _, traversal in ipairs(expr:traversals()) do assert.is_true(places[place(traversal.range)], case.id) end
end

-- The tree shows the same value, or the same report.
local function compare(expr, scope, case, parts_too)
  local value, err = expr:value(nil, scope)
  local tree, why = support.readable(expr:explain(nil, scope))
  assert.equal(tostring(err), tostring(why), case.id)
  if value == nil then
    assert.is_nil(tree.value, case.id)
  else
    -- Some functions give another value each time.
    if not case.src:find "timestamp" and not case.src:find "uuid" and not case.src:find "bcrypt" then
      assert.equal(tostring(value), tostring(tree.value), case.id)
      assert.equal(tostring(value:type()), tostring(tree.value:type()), case.id)
      if parts_too then
        local places = { [place(tree.range)] = true }
        compare_parts(tree, scope, case, places)
        find_names(expr, places, case)
      end
    end
  end
  assert.truthy(#tostring(tree) > 0, case.id)
end

describe("Explaining", function()
  for _, name in ipairs(FILES) do
    it("gives the values and reports of: " .. name, function()
      local n = 0
      runner.each_bound(runner.case_file(name), function(expr, scope, case)
        n = n + 1
        compare(expr, scope, case, support.whole or n % 4 == 0)
      end, ONE_IN)
      assert.is_true(n > 0 or not runner.complete)
    end)
  end
end)
