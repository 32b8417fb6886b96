-- The recorded cases. Those of the language run twice, the second time stuttering (suspended at every instruction). Those of the
-- functions, of the formatter and in bulk run once, to save time; of those in bulk `make test` runs a sample.
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.here()
local runner = dofile(here .. "runner.lua")
local known = dofile(here .. "known.lua")

local LANGUAGE = {
  "literals", "operators", "conditionals", "templates", "for_splat_index", "calls", "unknown_marks", "refs", "console",
  "syntax_errors", "types", "bodies", "dynamic", "json_syntax", "json_blocks", "language_corners",
}
local FUNCTIONS = {
  "func_assume", "func_cidr", "func_collection", "func_convert", "func_corners", "func_crypto", "func_csv", "func_encoding",
  "func_extra", "func_files", "func_format", "func_json",
  "func_numeric", "func_regex", "func_strargs", "func_strings", "func_templatestring", "func_time", "func_yaml",
  "fmt", "fmt_terraform",
}
local BULK = { "fuzz", "neighbours", "pairs", "characters", "edges", "dynamics", "func_grid", "func_encodings" }
local WAYS = { { name = "plain", files = { LANGUAGE, FUNCTIONS, BULK } }, { name = "stuttering", files = { LANGUAGE } } }
local ONE_IN = support.sample(3, 1)
local seen = {}

-- Runs a file and collects its reports.
local function run(name, one_in)
  local out = { passed = 0, skipped = 0, exact = 0, located = 0, problems = {} }
  local function problem(case, text) out.problems[#out.problems + 1] = case.id .. text end
  local function report(case, why) problem(case, "  " .. case.src:sub(1, 200) .. "\n    " .. why) end
  runner.run_file(runner.case_file(name), function(case, result, why, exact)
    seen[case.id] = true
    if exact ~= nil then out.located = out.located + 1 end
    if exact then out.exact = out.exact + 1 end
    if result == "skipped" then
      out.skipped = out.skipped + 1
    elseif result ~= "passed" then
      if not known.failures[case.id] then report(case, why) end
    else
      out.passed = out.passed + 1
      if known.failures[case.id] then problem(case, " passes, but is listed in known.lua") end
      if exact and known.places[case.id] then problem(case, " has the exact places, but is listed in known.lua") end
      -- Without utf8proc the columns differ.
      if exact == false and not known.places[case.id] and runner.complete then report(case, why) end
    end
  end, one_in)
  return out
end

for _, way in ipairs(WAYS) do
  describe("conformance, " .. way.name, function()
    local exact, located, skipped = 0, 0, 0
    setup(function()
      if way.name == "stuttering" then assert.is_true(runner.stutter(true), "hclexpr.testing is missing: not a test build") end
    end)
    teardown(function()
      if way.name == "stuttering" then runner.stutter(false) end
    end)

    for _, files in ipairs(way.files) do
      for _, name in ipairs(files) do
        it(name, function()
          local r = run(name, files == BULK and ONE_IN or 1)
          exact, located, skipped = exact + r.exact, located + r.located, skipped + r.skipped
          assert.are.equal("", table.concat(r.problems, "\n", 1, math.min(#r.problems, 10)))
          assert.is_true(r.passed > 0 or not runner.complete)
        end)
      end
    end

    it("skips nothing in a complete build", function()
      support.note(("%s: %d of %d exact error places; %d cases need what this build lacks"):format(way.name, exact, located, skipped))
      assert.is_true(skipped == 0 or not runner.complete)
    end)
  end)
end

describe("known.lua", function()
  if not support.whole or not support.all_cases then return end
  it("lists only existing cases, each with a reason", function()
    for _, list in pairs(known) do
      for id, reason in pairs(list) do
        assert.is_true(seen[id], id .. " is in no file")
        assert.truthy(reason:find "%S")
      end
    end
  end)
end)
