-- The recorded cases of the language, plain and stuttering (suspended and resumed at every instruction).
local here = debug.getinfo(1, "S").source:match "^@(.*)conformance_spec%.lua$"
local runner = dofile(here .. "runner.lua")
local known = dofile(here .. "known.lua")

local FILES = {
  "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "unknown_marks", "refs", "console",
  "syntax_errors", "types", "bodies",
}
-- Of the cases with errors at least so many have exactly the reference's ranges.
local EXACT = 0.97

-- Runs a file and gathers what is to be told of it.
local function run(name)
  local out = { passed = 0, skipped = 0, exact = 0, located = 0, problems = {} }
  runner.run_file(runner.case_file(name), function(case, result, why, exact)
    if exact ~= nil then out.located = out.located + 1 end
    if exact then out.exact = out.exact + 1 end
    if result == "skipped" then
      out.skipped = out.skipped + 1
    elseif result == "passed" then
      out.passed = out.passed + 1
      if known[case.id] then out.problems[#out.problems + 1] = case.id .. " passes, but is listed in known.lua" end
    elseif not known[case.id] then
      out.problems[#out.problems + 1] = case.id .. "  " .. case.src:sub(1, 200) .. "\n    " .. why
    end
  end)
  return out
end

for _, way in ipairs { "plain", "stuttering" } do
  describe("conformance, " .. way, function()
    local exact, located, skipped = 0, 0, 0
    setup(function()
      if way == "stuttering" then assert.is_true(runner.stutter(true), "hclexpr.testing is missing: not a test build") end
    end)
    teardown(function()
      if way == "stuttering" then runner.stutter(false) end
    end)

    for _, name in ipairs(FILES) do
      it(name, function()
        local r = run(name)
        exact, located, skipped = exact + r.exact, located + r.located, skipped + r.skipped
        assert.are.equal("", table.concat(r.problems, "\n", 1, math.min(#r.problems, 10)))
        assert.is_true(r.passed > 0)
      end)
    end

    it("gives errors at the reference's places", function()
      print(("\nnote: %s: %d of %d exact error places; %d cases need a function of a later issue"):format(way, exact, located,
        skipped))
      assert.is_true(exact >= EXACT * located, exact .. " of " .. located)
    end)
  end)
end
