-- Executes one run of a test file: validates its module, plans it and, if requested, applies it; then judges its assertions.
local addresses = require "hclexpr.terraform.read.addresses"
local planned_changes = require "hclexpr.terraform.plan.changes"
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local overrides = lazy "hclexpr.terraform.tests.overrides"
local mock_values = lazy "hclexpr.terraform.providers.mock_values"
local answers = require "hclexpr.terraform.module.answers"
local Findings = require "hclexpr.terraform.language.findings"
local dependencies = require "hclexpr.terraform.read.dependencies"
local assertions = require "hclexpr.terraform.tests.assertions"
local places = require "hclexpr.places"
local test_providers = require "hclexpr.terraform.tests.test_providers"
local references = require "hclexpr.terraform.read.references"
local Run = require "hclexpr.terraform.run.run"
local sorted = require("hclexpr.util").sorted
local State = lazy "hclexpr.terraform.plan.state"
local target_addresses = lazy "hclexpr.terraform.read.target_addresses"
local Targets = lazy "hclexpr.terraform.run.targets"
local Trial = require "hclexpr.terraform.tests.trial"
local naming = require "hclexpr.terraform.language.naming"

---@class hclexpr.module.tests.Work one run during its execution
---@field run hclexpr.module.tests.Run
---@field test hclexpr.module.tests.File
---@field base hclexpr.Module the module of the run
---@field names hclexpr.module.tests.Names
---@field findings hclexpr.Findings
---@field lists hclexpr.Diagnostics[] reports of the run, in order
---@field tested hclexpr.module.Folder the folder that has the tests
---@field providers table<string, table> providers of the file, by their names in the module
---@field expected table<string, table> traversals by the addresses that they name
---@field options { mode?: string, replaced?: table<string, true>, targets?: hclexpr.Targets } the test's options for the plan
---@field own table<string, hclexpr.Value> the run's variables that only tests have
---@field coverage? hclexpr.module.tests.Coverage
local Work = {}
Work.__index = Work

--- Returns the mock of a resource's provider, or nil if the provider isn't mocked.
function Work:mock_of(config, declaration)
  local provider = test_providers.of_resource(config, declaration, self.providers)
  return provider and provider.mocked and provider or nil
end

--- Returns the lists of overrides that apply, in order of precedence.
function Work:overrides(mock)
  return { self.run.overrides, self.test.overrides, mock and mock.overrides, mock and mock.shared and mock.shared.overrides }
end

-- Adds diagnostics to the run's results. Returns true if they have errors.
local function take(work, found)
  if not found then return false end
  work.lists[#work.lists + 1] = found
  return Findings.has_errors(found)
end

local function take_findings(work)
  local found = work.findings:diagnostics()
  work.findings = Findings.new(true)
  return take(work, found)
end

-- Makes the Run and the Trial that evaluate the module. With `applying`, they are for the apply after a plan. With `covering`, evaluations
-- record the results of conditionals.
local function run_of(work, applying, covering)
  local trial = Trial.new(work, applying)
  local of = trial:fields()
  of.state, of.inputs, of.applies, of.covers = work.state, work.inputs, applying, covering or false
  for name, value in pairs(work.options) do of[name] = value end
  return Run.new(work.base, of), trial
end

-- Steps before evaluation

local function check_providers(work)
  local folder = work.base.root.folder
  test_providers.check_given(work.findings, work.run, work.tested, folder)
  if work.findings:count() > 0 then return end
  for _, key in ipairs(test_providers.absent(folder, work.providers)) do
    work.findings:report("MODULE_TEST_RUN", {}, "The provider configuration %s is missing. Declare a provider or mock_provider with that "
      .. "alias in the test file.", key)
  end
end

local function check_overrides(work)
  for _, list in ipairs { work.run.overrides, work.test.overrides } do
    for _, one in ipairs(list) do
      local value = overrides.value(one, work.names.scope, work.findings)
      if value and not mock_values.is_object(value) then
        work.findings:report("MODULE_TEST_RUN", { object = one.values, range = one.values.range }, "%s must be an object.", one.values.name)
      end
    end
  end
end

-- Reads the run's options for its plan. Reference: an address to replace must be in the run's own module, not in one that it calls.
local function read_options(work)
  local options = work.run.options
  if not options then return end
  local replaced, targets = {}, {}
  work.options = { mode = options.mode, replaced = replaced, refresh = options.refresh }
  for _, traversal in ipairs(options.replace or {}) do
    local steps = traversal.steps
    local ref = references.read(traversal)
    if ref and ref.kind == "resource" and ref.mode == "managed" then
      replaced[ref.instance ~= nil and naming.instance(ref.key, ref.instance) or ref.key] = true
    elseif not (ref and (ref.kind == "call" or ref.kind == "output")) then
      work.findings:report("MODULE_TEST_RUN", { object = options.block, range = assertions.name_range(steps, #steps) },
        "Only managed resources can be replaced, and %s isn't one.", traversal.path)
    else
      replaced[traversal.path] = true
    end
  end
  if options.mode == "refresh-only" and next(replaced) then
    work.findings:report("MODULE_TEST_RUN", places.of_block(options.block), "plan_options.replace and mode = refresh-only don't go "
      .. "together: a refresh-only plan creates nothing. Leave one out.")
  end
  for _, traversal in ipairs(options.target or {}) do targets[#targets + 1] = target_addresses.of_steps(traversal.steps) end
  if targets[1] then work.options.targets = Targets.new(work.base, targets) end
end

local function report_targets(work)
  if not work.options.targets then return end
  work.findings:report("MODULE_TEST_PART", {}, "plan_options.target limits the plan, so only a part of the module is tested.")
  take_findings(work)
end

-- Reads the expected failures by address.
local function read_expected(work)
  for _, traversal in ipairs(work.run.failures or {}) do
    local steps = traversal.steps
    local root = steps[1].text
    local key = (root == "output" or root == "check") and steps[2] and root .. "." .. steps[2].text or nil
    local ref = not key and references.read(traversal)
    if ref and ref.key then key = ref.instance ~= nil and naming.instance(ref.key, ref.instance) or ref.key end
    if key then work.expected[key] = { range = assertions.name_range(steps, #steps), is_output = root == "output" } end
  end
end

-- Variables

-- Returns the variables that a run names: for each name the last { traversal, expression } that has it.
local function named_variables(work)
  local found = {}
  local function add(attribute)
    for _, traversal in ipairs(core.traversals(attribute.expression)) do
      local root, step = traversal.steps[1].text, traversal.steps[2]
      if root == "var" and step and step.kind == "attr" then found[step.text] = { traversal, attribute.expression } end
    end
  end
  for _, rule in ipairs(work.run.rules) do
    add(rule.condition)
    add(rule.error_message)
  end
  for _, attribute in pairs(work.run.variables or {}) do add(attribute) end
  return found
end

-- Puts the values in the run's own `variables` block into `own`, by name; a wrong value is false. Values of variables that only assertions
-- name (`named`) also go into work.own. Returns "error" if something is wrong, or "skip" if a value depends on something that was skipped.
local function read_own(work, own, named)
  local failed
  local declared = work.base.root.folder.variables
  for name, attribute in pairs(work.run.variables or {}) do
    local value, status = work.names:value(attribute.expression, work.findings)
    if value == nil then failed = failed == "skip" and failed or status end
    if value == nil then own[name] = false else own[name] = value end
    if not declared[name] then
      if named[name] then work.own[name] = value
      else
        work.findings:report("MODULE_TEST_UNSURE", places.of_expression(attribute.expression), "The module has no variable %s, and no "
          .. "assertion names it, so this has no effect.", core.quote(name))
      end
    end
  end
  return failed
end

local function read_input(work, declaration, own)
  local name = declaration.name
  if own[name] then return { value = own[name], place = places.of_expression(work.run.variables[name].expression) } end
  local known = work.names:of_file(name)
  if known then return known.value ~= nil and { value = known.value, place = known.place } or nil end
  local given, wrong = work.names:input(declaration, work.findings)
  if not given and not wrong and declaration.default == nil then
    work.findings:report("MODULE_INPUT_MISSING", places.head_of(declaration), "The variable %s has no default and the test gives it no "
      .. "value: variables { %s = ... }", core.quote(name), name)
  end
  return given
end

-- Sets work.inputs, and puts variables that only the test has into work.own. Returns "error" or "skip" as read_own does.
local function read_inputs(work)
  local own, named = {}, named_variables(work)
  local failed = read_own(work, own, named)
  work.inputs = {}
  local declared = work.base.root.folder.variables
  for _, name in ipairs(sorted(declared)) do
    if own[name] ~= false then work.inputs[name] = read_input(work, declared[name], own) end
  end
  for _, name in ipairs(sorted(named)) do
    if own[name] == nil and not declared[name] then work.own[name] = work.names:of_test(named[name], work.findings) end
  end
  return failed
end

-- Plan and apply

local function evaluate(work, applying)
  local run, trial = run_of(work, applying, work.coverage ~= nil)
  local walk, found = answers.try(run)
  if work.coverage then work.coverage:add(walk) end
  return walk, found, trial
end

-- Reports expected failures that didn't happen, in source order. Returns true if it reported any.
local function report_missing(work, trial)
  local missing = {}
  for key, expected in pairs(work.expected) do
    if not trial.met[key] then missing[#missing + 1] = { key = key, range = expected.range } end
  end
  table.sort(missing, function(a, b) return a.range.start.byte < b.range.start.byte end)
  for _, one in ipairs(missing) do
    work.findings:report("MODULE_TEST_EXPECTED", { object = work.run.failures_of, range = one.range }, "%s was expected to fail, but "
      .. "didn't.", one.key)
  end
  take_findings(work)
  return missing[1] ~= nil
end

local function report_early(work, trial)
  for key in pairs(trial.early) do
    local expected = work.expected[key]
    local place = expected.is_output and { object = work.run.failures_of, range = expected.range } or {}
    work.findings:report("MODULE_TEST_PART", place, "%s was expected to fail, but it already fails in the plan, so nothing is "
      .. "applied. Use command = plan.", key)
  end
  take_findings(work)
end

-- Returns the outputs as later runs see them. Outputs without a value are unknown.
local function outputs_for_later(work, outputs)
  local values = {}
  for name in pairs(work.base.root.folder.outputs) do
    values[name] = outputs[name] == nil and core.unknown "any" or outputs[name]
  end
  return values
end

local function judge(work, walk)
  local outputs = walk.root.outputs or {}
  walk.findings = Findings.new(true)
  local status = assertions.judge(walk, work, outputs)
  take(work, walk.findings:diagnostics())
  work.outputs, work.walk = outputs_for_later(work, outputs), walk
  return status
end

-- Reports objects that a `removed` block makes the state forget without destroying them.
local function report_forgotten(work)
  local there = {}
  for address in pairs(work.state and work.state.entries or {}) do there[naming.without_keys(address)] = true end
  for _, config in ipairs(next(there) and dependencies.modules(work.base.root) or {}) do
    for _, d in ipairs(config.folder.others) do
      local address = d.kind == "removed" and d.from and d.destroy == false and addresses.within(config.address, d.from)
      if address and there[address] then
        work.findings:report("MODULE_TEST_PART", {}, "A block `removed` gives up %s, so it stays unchanged.", address)
        return take_findings(work)
      end
    end
  end
end

local function plan(work)
  local walk, found, trial = evaluate(work, false)
  report_forgotten(work)
  local wrong = take(work, found)
  if report_missing(work, trial) or wrong then return "error" end
  return judge(work, walk)
end

-- Reports a refresh-only run where all changed outputs are unknown. Reference: such a run isn't applied, but one without changes is.
local function report_nothing_kept(work, walk)
  local changed, kept = false, false
  for _, one in pairs(planned_changes.outputs(walk, planned_changes.planned_outputs(walk))) do
    changed = changed or one.action ~= "no-op"
    kept = kept or one.action ~= "no-op" and one.after ~= nil and one.after:is_wholly_known()
  end
  if not changed or kept then return false end
  -- Reference: the report lacks a place.
  work.findings:report("MODULE_TEST_RUN", {}, "A refresh-only run can't apply outputs that are known only after an apply. Use "
    .. "command = plan, or leave out mode = refresh-only.")
  return take_findings(work)
end

local worst = { pass = 1, fail = 2, error = 3 }

local function apply(work, states, key)
  local plan_walk, planned, early = evaluate(work, false)
  report_forgotten(work)
  if take(work, planned) then
    take(work, early.warnings:diagnostics())
    report_early(work, early)
    return "error"
  end
  if work.options.targets then
    work.findings:report("MODULE_TEST_PART", {}, "The apply may be incomplete: plan_options.target leaves something out.")
    take_findings(work)
  end
  if work.options.mode == "refresh-only" and report_nothing_kept(work, plan_walk) then return "error" end
  local walk, found, trial = evaluate(work, true)
  if work.options.mode ~= "refresh-only" then states[key] = State.after(walk, work.state) end
  local wrong = take(work, found)
  local missing = report_missing(work, trial)
  if wrong then return "error" end
  local status = judge(work, walk)
  return missing and worst[status] < worst.fail and "fail" or status
end

local running = {}

--- Reports mistakes in the files of a module; returns nil if a run can use the module. Missing provider configurations don't count, because
--- the test file gives them.
---@param module hclexpr.Module
---@return hclexpr.Diagnostics?
function running.faults(module)
  return Findings.has_errors(module.own_problems) and not module.loader.only_absent and module.own_problems or nil
end

-- Validates the module as the run sees it. Returns true if it has errors.
local function validate(work)
  local wrong = running.faults(work.base)
  if wrong then return take(work, wrong) end
  local key = {}
  for name in pairs(work.replaced_providers) do key[#key + 1] = name end
  table.sort(key)
  local words, known = table.concat(key, " "), work.base.validated or {}
  work.base.validated = known
  if not known[words] then
    known[words] = { answers.check((run_of(work, false))) }
  end
  return take(work, known[words][1])
end

--- Makes the Work of a run, with its findings and providers.
---@param file table the state of a test file in suite.lua
---@param run hclexpr.module.tests.Run
---@return hclexpr.module.tests.Work
function running.work(file, run)
  local base = run.other or file.module
  local work = setmetatable({ run = run, test = file.test, base = base, names = file.names, findings = Findings.new(true), lists = {},
                              expected = {}, own = {}, options = {}, coverage = file.options.coverage }, Work)
  work.tested = file.module.root.folder
  work.providers = test_providers.of_run(file.test, run, work.tested, base.root.folder)
  return work
end

--- Executes a run and returns its status. The work gets the run's outputs and diagnostics.
---@param work hclexpr.module.tests.Work
---@param states table<string, hclexpr.module.State> by key
---@param key string the key of the run's state
---@return "pass"|"fail"|"error"|"skip"
function running.run(work, states, key)
  if not work.base.begun then
    answers.begin(work.base)
  end
  check_providers(work)
  if take_findings(work) then return "error" end
  work.replaced_providers = test_providers.replaced(work.base.root.folder, work.providers)
  check_overrides(work)
  if take_findings(work) then return "error" end
  if validate(work) then return "error" end
  read_options(work)
  local status = read_inputs(work)
  if take_findings(work) then return "error" end
  if status then return status end
  report_targets(work)
  read_expected(work)
  -- The state is made again for each run, because its moves are those of the run's module.
  work.state = states[key] and State.of(work.base, states[key].entries)
  if work.run.command == "plan" then return plan(work) end
  return apply(work, states, key)
end

return running
