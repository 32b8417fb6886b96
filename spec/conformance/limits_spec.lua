-- A limit only stops evaluations: under any limit a recorded case gives its answer or reports that limit, and if a limit allows a case,
-- larger limits do, too.
local hcl = require "hclexpr"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local runner = dofile(support.here() .. "runner.lua")

-- The step between the cases taken from each file.
local FILES = {
  for_splat_index = 6, templates = 6, calls = 4, func_collection = 6, func_json = 4, func_yaml = 6, func_format = 10, func_grid = 60,
  neighbours = 60, fuzz = 16,
}
local SIZES = {
  steps = { 1, 2, 3, 5, 8, 13, 21, 34, 55, 200, 10000000 },
  memory = { 1, 16, 100, 300, 1000, 3000, 10000, 67108864 },
  output = { 0, 1, 15, 16, 17, 40, 300, 16777216 },
  depth = { 1, 2, 3, 4, 5, 6, 12, 1000 },
}

-- The result of an evaluation, and the limit that stopped it.
local function outcome(expr, scope)
  local v, err = expr:eval(nil, scope)
  if v ~= nil or not err then return "answer" end
  for _, d in ipairs(err) do
    local limit = d.code:match "^limit%.(%l+)"
    if limit then return nil, limit end
  end
  return err[1].code
end

describe("limits of", function()
  local cases = {}
  setup(function()
    for _, name in ipairs(support.keys(FILES)) do
      runner.each_bound(runner.case_file(name), function(expr, bound, case)
        cases[#cases + 1] = { expr = expr, bound = bound, text = ("%s: %s"):format(tostring(case.id), case.src) }
      end, FILES[name])
    end
  end)

  for _, limit in ipairs(support.keys(SIZES)) do
    it(limit .. " stop what is larger, and nothing else", function()
      local stopped, allowed = 0, 0
      for _, case in ipairs(cases) do
        local want = outcome(case.expr, hcl.scope { parent = case.bound })
        local before
        for _, size in ipairs(SIZES[limit]) do
          local got, by = outcome(case.expr, hcl.scope { parent = case.bound, limits = { [limit] = size } })
          local where = ("%s with %s = %d"):format(case.text, limit, size)
          if got then
            if got ~= want then assert.equal(want, got, where) end
            allowed = allowed + 1
          else
            if by ~= limit then assert.equal(limit, by, where) end
            assert(not before, where)
            stopped = stopped + 1
          end
          before = got
        end
      end
      assert.is_true(stopped > 50 and allowed > 100, ("%d stopped, %d allowed"):format(stopped, allowed))
    end)
  end
end)
