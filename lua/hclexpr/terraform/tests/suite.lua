-- Runs all tests of a folder, file by file and run by run.
local check = require "hclexpr.check"
local checking = require "hclexpr.terraform.tests.checking"
local core = require "hclexpr.core"
local coverage = require("hclexpr.lazy") "hclexpr.terraform.tests.coverage"
local answers = require "hclexpr.terraform.module.answers"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local impure = require "hclexpr.terraform.instance.impure"
local Names = require "hclexpr.terraform.tests.names"
local order = require "hclexpr.terraform.tests.order"
local test_providers = require "hclexpr.terraform.tests.test_providers"
local running = require "hclexpr.terraform.tests.running"
local target_addresses = require("hclexpr.lazy") "hclexpr.terraform.read.target_addresses"
local tests = require "hclexpr.terraform.tests.files"

local suite = { begin = answers.begin }

-- Statuses; the worst has the highest number.
local ranks = { pending = 1, skip = 2, pass = 3, fail = 4, error = 5 }

local function worse(a, b) return ranks[a] >= ranks[b] and a or b end

-- One file

-- Returns the key of a run's state: its own key, or the source of its module, or "" for the state that all other runs of the file share.
local function key_of(run)
  return run.state_key or run.module and run.module.source or ""
end

-- Evaluates a variable or a provider of a file and returns its status.
local function status_of(file, name)
  local kind, key = name:match "^(%l+) (.*)$"
  if kind == "provider" then return test_providers.check(file.module, file.test.providers[key], file.names, file.findings) end
  return file.names:of_file(key).status or "done"
end

-- Returns true if something that a run, variable or provider needs has the status "skip" or "error".
local function lacks(file, name)
  for _, needed in ipairs(file.order.needs[name]) do
    local status = file.statuses[needed]
    if status == "skip" or status == "error" then return true end
  end
  return false
end

local function announce(file, kind, run)
  local report = file.options.report
  if report then report(kind, file.result, run) end
end

local function finish_run(file, work, status)
  local run = work.run
  local result = file.result.runs[file.places[run]]
  result.status, result.outputs = status, work.outputs
  result.diagnostics = core.join_diagnostics(work.lists, true)
  file.statuses["run " .. run.name] = status
  if work.outputs then file.names.outputs[run.name] = work.outputs end
  file.result.status = worse(file.result.status, status)
  announce(file, "run", result)
end

-- Checks all runs of a file before the first one is executed. Wrong runs get the status "error", and then the file isn't executed. Returns
-- true if all are correct.
local function check_runs(file)
  local sound = true
  for _, work in ipairs(file.works) do
    local findings = Findings.new(true)
    checking.failures(findings, work.run)
    checking.providers(findings, file.test, work.run)
    checking.overrides(findings, work.run.overrides, function(target) return target_addresses.exists(work.base.root, target) end)
    local found = findings:diagnostics()
    work.lists[1] = found
    if Findings.has_errors(found) then
      sound = false
      finish_run(file, work, "error")
    end
  end
  return sound
end

-- Returns the result of act; or nil and Diagnostics if act raised an error and the option `guard` caught it.
local function guarded(file, act, ...)
  local guard = file.options.guard
  if not guard then return act(...) end
  local result, why = guard(act, ...)
  if not why then return result end
  return nil, Findings.diagnose("MODULE_TEST_BROKEN", nil, nil, ("This is a mistake in hclexpr, which ends only this part of the tests: %s")
    :format(why))
end

-- The steps that a run costs without its evaluations.
local RUN_STEPS = 1000

local function run_one(file, work)
  core.spend(file.module.evaluation.scope, RUN_STEPS, 0)
  announce(file, "starting", file.result.runs[file.places[work.run]])
  if lacks(file, "run " .. work.run.name) then return finish_run(file, work, "skip") end
  local status, err = guarded(file, running.run, work, file.states, key_of(work.run))
  work.lists[#work.lists + 1] = err
  return finish_run(file, work, status or "error")
end

local function run_all(file)
  for i, run in ipairs(file.test.runs) do
    local work = running.work(file, run)
    file.places[run], file.works[i], file.by_name["run " .. run.name] = i, work, work
  end
  if not file.works[1] then return end -- Reference: in a file without runs, variables are ignored.
  test_providers.check_known(file.module, file.test, file.findings)
  if file.findings:count() > 0 or not check_runs(file) then return end
  local roots = { file.module.root }
  for _, work in ipairs(file.works) do roots[#roots + 1] = work.base.root end
  checking.overrides_of_file(file.findings, file.test, roots)
  file.order = order.of(file.test, file.works, key_of)
  if not file.order.list then
    file.findings:report("MODULE_CYCLE", {}, "The runs or variables in this file form a cycle: a run uses itself or a later run, or "
      .. "variables use each other.")
    return
  end
  for _, name in ipairs(file.order.list) do
    local work = file.by_name[name]
    if work then run_one(file, work) else file.statuses[name] = lacks(file, name) and "skip" or status_of(file, name) end
  end
end

-- Returns the path of a file as it is shown, relative to the module's folder.
local function short_path(module, path)
  return path:sub(#Files.join(module.dir, "") + 1)
end

local function result_of(module, test)
  local filename = short_path(module, test.path)
  local result = { filename = filename, path = filename, status = "skip", runs = {} }
  for i, run in ipairs(test.runs) do
    result.runs[i] = { name = run.name, command = run.command, status = "pending", range = run.block.head_range }
  end
  return result
end

-- Gives each file the full limits.
local function renew_limits(file)
  core.budget(file.module.evaluation.scope)
  for _, run in ipairs(file.test.runs) do
    if run.other and run.other.begun then core.budget(run.other.evaluation.scope) end
  end
end

local function run_file(module, test, result, given, options)
  local scope = core.scope { parent = module.evaluation.scope, functions = impure.while_applying(module.options.scope) }
  local file = { module = module, test = test, result = result, options = options, states = {}, statuses = {}, places = {}, works = {},
                 by_name = {} }
  file.findings = Findings.new(true)
  file.names = Names.new(module, test, given, scope, file.findings)
  renew_limits(file)
  announce(file, "file", nil)
  local _, err = guarded(file, run_all, file)
  if err then file.findings:add(err) end
  result.diagnostics = file.findings:diagnostics()
  if Findings.has_errors(result.diagnostics) then result.status = "error"
  elseif not result.runs[1] then result.status = "pass" end
  announce(file, "end", nil)
end

-- Suites

local counted = { pass = "passed", fail = "failed", error = "errored", skip = "skipped" }

local function count(result)
  result.status = "skip"
  for _, name in pairs(counted) do result[name] = 0 end
  for _, file in ipairs(result.files) do
    result.status = worse(result.status, file.status)
    for _, run in ipairs(file.runs) do
      local name = counted[run.status]
      if name then result[name] = result[name] + 1 end
    end
  end
  if not result.files[1] then result.status = "pass" end
  return result
end

-- Returns the files that a filter selects, in order. Warns of names in the filter without a file.
local function chosen(module, list, filter, findings)
  local left, there = {}, {}
  for _, test in ipairs(list) do there[short_path(module, test.path)] = test end
  local wanted
  for _, path in ipairs(filter or {}) do
    wanted = wanted or {}
    if there[path] then wanted[path] = true
    else findings:report("MODULE_TEST_UNSURE", {}, "The test file %s is missing.", core.quote(path)) end
  end
  for path in pairs(there) do
    if not wanted and not filter or wanted and wanted[path] then left[#left + 1] = path end
  end
  table.sort(left)
  for i, path in ipairs(left) do left[i] = there[path] end
  return left
end

-- Reports mistakes found while loading the folder, its test files, and the modules of runs. If they include errors, no test runs.
local function loaded_with(module, list)
  local wrong, written = running.faults(module), checking.written(list)
  if wrong or Findings.has_errors(written) then return Findings.join(wrong, written) end
  local found = checking.load(module, list)
  if Findings.has_errors(found) then return found end
  local warnings, seen = Findings.join(written, found), {}
  local function add(tested)
    if not seen[tested] and not Findings.has_errors(tested.own_problems) then warnings = Findings.join(warnings, tested.own_problems) end
    seen[tested] = true
  end
  add(module)
  for _, test in ipairs(list) do
    for _, run in ipairs(test.runs) do add(run.other or module) end
  end
  return warnings
end

-- Returns true if a path is allowed for the folder of tests: it must be the module's folder or in it.
local function is_within(below)
  local path = core.clean_path(below)
  return below ~= "" and not path:find "^/" and path ~= ".." and not path:find "^%.%./"
end

-- Returns a diagnostic if the folder of tests isn't allowed, otherwise nil.
local function check_directory(module)
  local below = module.options.test_dir
  if not below or below == tests.FOLDER then return nil end
  if not is_within(below) then
    return Findings.diagnose("MODULE_TEST", nil, nil, ("The folder of tests must be inside the folder of the module, but %s isn't.")
      :format(core.quote(below)))
  end
end

local known = { filter = "table", report = "function", coverage = "boolean", guard = "function" }

---@class hclexpr.TestOptions
---@field filter? string[] paths of test files
---@field report? fun(kind: string, file: hclexpr.TestFile, run?: hclexpr.TestRun) called during the tests; kind is "suite" (with the
--- result), "file", "starting", "run" or "end"
---@field coverage? boolean list what no run reached
---@field guard? fun(act: function, ...: any): any, string? calls act; returns its result, or nil and the error that it raised, which then
--- belongs to that run or file; without a guard such an error ends the tests

---@class hclexpr.TestRun
---@field name string
---@field command "plan"|"apply"
---@field status "pending"|"skip"|"pass"|"fail"|"error" pending: its file had an error before the run was executed
---@field diagnostics? hclexpr.Diagnostics what is wrong, and warnings
---@field outputs? table<string, hclexpr.Value> of a judged run
---@field range hclexpr.Range

---@class hclexpr.TestFile
---@field path string relative to the folder
---@field status "skip"|"pass"|"fail"|"error"
---@field runs hclexpr.TestRun[]
---@field diagnostics? hclexpr.Diagnostics of the file itself

---@class hclexpr.TestResult
---@field status "skip"|"pass"|"fail"|"error"
---@field files hclexpr.TestFile[]
---@field passed integer
---@field failed integer
---@field errored integer
---@field skipped integer
---@field diagnostics? hclexpr.Diagnostics those that don't belong to a file
---@field coverage? hclexpr.TestCoverage

--- Runs the tests of the folder.
---@param options? hclexpr.TestOptions
---@return hclexpr.TestResult? result
---@return hclexpr.Diagnostics? err if the configuration or the test files can't be read; nothing was run then
function suite:test(options)
  local o = check.options(1, "test", options, known)
  local findings = Findings.new(true)
  local refused = check_directory(self)
  if refused then return nil, refused end
  checking.folder(self, findings)
  local list = checking.files(self)
  local loaded = loaded_with(self, list)
  if Findings.has_errors(loaded) then return nil, loaded end
  findings:add(loaded)
  local given, err = Names.outside(self)
  if not given then return nil, err end
  local result = { files = {} }
  list = chosen(self, list, o.filter, findings)
  for i, test in ipairs(list) do result.files[i] = result_of(self, test) end
  if o.report then o.report("suite", { filename = "", path = "", status = "skip", runs = {}, files = result.files }) end
  local covered = o.coverage and coverage.new(self, self.options.test_dir or tests.FOLDER) or nil
  local for_files = { report = o.report, coverage = covered, guard = o.guard }
  for i, test in ipairs(list) do run_file(self, test, result.files[i], given, for_files) end
  result.coverage, result.diagnostics = covered and covered:result(), findings:diagnostics()
  return count(result)
end

return suite
