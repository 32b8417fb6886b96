-- A program that records what its parts come to gives what the ordinary one gives: of every recorded case.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local runner = dofile(support.here() .. "runner.lua")

local FILES = {
  "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "unknown_marks", "fuzz", "language_corners",
  "func_collection", "func_corners", "func_templatestring",
}
local ONE_IN = support.sample(3, 1)

-- The tree shows the same value, or the same report.
local function compare(expr, scope, case)
  local value, err = expr:value(nil, scope)
  local tree, why = expr:explain(nil, scope)
  assert.equal(tostring(err), tostring(why), case.id)
  if value == nil then
    assert.is_nil(tree.value, case.id)
  else
    -- Some functions give another value each time.
    if not case.src:find "timestamp" and not case.src:find "uuid" and not case.src:find "bcrypt" then
      assert.equal(tostring(value), tostring(tree.value), case.id)
      assert.equal(tostring(value:type()), tostring(tree.value:type()), case.id)
    end
  end
  assert.truthy(#tostring(tree) > 0, case.id)
end

describe("Explaining", function()
  for _, name in ipairs(FILES) do
    it("gives the values and reports of: " .. name, function()
      local n = 0
      runner.each_bound(runner.case_file(name), function(expr, scope, case)
        compare(expr, scope, case)
        n = n + 1
      end, ONE_IN)
      assert.is_true(n > 0 or not runner.complete)
    end)
  end
end)
