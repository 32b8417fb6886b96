-- hclexpr test: the tests of a Terraform folder, run offline.
local core = require "hclexpr.core"
local coverage = require("hclexpr.lazy") "hclexpr.terraform.tests.coverage"
local Findings = require "hclexpr.findings"
local folders = require "hclexpr.cli.folders"
local shell = require "hclexpr.cli.shell"
local sorted = require("hclexpr.util").sorted

local function add_filter(filter, path)
  filter[#filter + 1] = path:gsub("^%./", "")
end

local test = {
  arguments = "[DIR]",
  summary = "run the tests of a Terraform folder, offline",
  examples = { "test", "test -filter=tests/main.tftest.hcl -verbose modules/network" },
  statuses = { [1] = "a test fails, or a file can't be read" },
  help = [[
Runs the test files (*.tftest.hcl, *.tftest.json) in DIR (default: the current folder) and in its folder tests, as `terraform test` does. No
provider runs: each one is a mock, with values from mock_provider blocks and overrides, and generated values otherwise.
]],
  options = {
    { "-filter=FILE", "run only that test file, a path in DIR; may be given several times", into = "filter", act = add_filter },
    { "-test-directory PATH", "the folder of test files; default: tests" },
    { "-verbose", "show the outputs of each run" },
    { "-json", "print events as lines of JSON, as `terraform test -json` does" },
    { "-junit-xml=FILE", "also write the results to that file as JUnit XML", field = "junit" },
    { "-coverage", "show which variables, locals, outputs, resources and branches of conditionals no run evaluated" },
    { "-lcov=FILE", "write the coverage to that file, in lcov's format" },
    folders.options,
  },
}

-- Counts the runs by result. A run that an error ended counts as failed.
local function in_numbers(result)
  local skipped = result.skipped > 0 and (", %d skipped"):format(result.skipped) or ""
  return ("%d passed, %d failed%s."):format(result.passed, result.failed + result.errored, skipped)
end

-- Text

local colours = { pass = "32", fail = "31", error = "31", skip = "33" }

-- The words for results that differ in text. Reference: only JSON shows which runs an error ended.
local words_of = { error = "fail" }

local function coloured(status, wanted)
  local code, word = wanted and colours[status], words_of[status] or status
  return code and ("\27[%sm%s\27[0m"):format(code, word) or word
end

local Text = {}
Text.__index = Text

function Text.file(_, file) shell.write(file.path, "... in progress\n") end

-- Writes the words for a run or file, and its status in colour.
local function say(self, words, status)
  shell.write(words, "... ")
  shell.product(coloured(status, self.colours), "\n")
end

local function report(err)
  if not err then return end
  shell.flush()
  shell.report(err)
end

local function write_outputs(run)
  local values = require "hclexpr.cli.values"
  for _, name in ipairs(sorted(run.outputs or {})) do
    shell.product("    ", shell.plain_name(name), " = ", values.show(run.outputs[name]), "\n")
  end
end

Text["end"] = function(self, file)
  say(self, file.path, file.status)
  report(file.diagnostics)
end

function Text:run(_, run)
  say(self, "  run " .. core.quote(run.name), run.status)
  if self.verbose then write_outputs(run) end
  report(run.diagnostics)
end

local function write_coverage(result, dir)
  local percent = math.floor(100 * result.covered / math.max(result.total, 1))
  shell.write(("\nCoverage: %d of %d (%d %%)\n"):format(result.covered, result.total, percent))
  for _, text in ipairs(coverage.lines(result, dir)) do shell.write("  ", text, "\n") end
end

function Text:finish(result, err, numbers)
  if not result then return report(err) end
  report(result.diagnostics)
  if self.coverage then write_coverage(result.coverage, self.dir) end
  shell.write "\n"
  if not result.files[1] then return shell.write "No test files were found: NAME.tftest.hcl in the folder, or in its folder tests.\n" end
  shell.write(result.status == "pass" and "Success! " or "Failure! ", numbers, "\n")
end

-- The command

-- Writes a file; returns the reason if that fails.
local function write_fault(path, text)
  local file, why = io.open(path, "w")
  if not file then return why end
  local wrote, fault = file:write(text)
  -- A full disk may show only when the file is closed.
  local closed, late = file:close()
  return not wrote and fault or not closed and late or nil
end

local function write_file(path, text)
  local why = write_fault(path, text)
  if why then shell.fail(("can't write %s: %s"):format(path, why)) end
end

-- Finds the files of values: a name may start at the current folder or, as in Terraform, at the tested folder.
local function place_files(dir, settings)
  for i, setting in ipairs(settings) do
    local name = type(setting) == "table" and setting.file
    if name and name:sub(1, 1) ~= "/" and not folders.is_there(name) then settings[i] = { file = (dir:gsub("/*$", "/")) .. name } end
  end
end

function test.run(args)
  local given, rest = shell.arguments(args, test)
  local dir = folders.one(rest)
  place_files(dir, given.settings)
  given.stateless = true
  local module, err = folders.open(dir, given, { module = true, schema = true })
  local view = { dir = dir, verbose = given.verbose, coverage = given.coverage, colours = shell.wants_colours "stdout" }
  setmetatable(view, given.json and require "hclexpr.cli.test_lines" or Text)
  local result
  if module then
    local function show(kind, file, run)
      if view[kind] then view[kind](view, file, run) end
    end
    result, err = module:test { filter = given.filter[1] and given.filter, report = show, coverage = given.coverage or given.lcov ~= nil,
                                guard = shell.guard }
  end
  view:finish(result, not result and err or nil, result and in_numbers(result))
  if given.junit and result then write_file(given.junit, require("hclexpr.terraform.tests.junit").text(result)) end
  if given.lcov and result then write_file(given.lcov, coverage.lcov(result.coverage, dir)) end
  return result and result.status == "pass" and not Findings.has_errors(result.diagnostics) and shell.OK or shell.BAD_INPUT
end

return test
