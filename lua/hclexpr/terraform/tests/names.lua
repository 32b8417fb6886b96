-- Finds the values of the names in a test file: `var` and `run` in the expressions of its variables, runs and providers, and values given
-- outside of the file.
local check = require "hclexpr.check"
local core = require "hclexpr.core"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local inputs = require "hclexpr.terraform.tree.inputs"
local places = require "hclexpr.places"

local between = function(first, last)
  return { filename = first.range.filename, start = first.range.start, stop = last.range.stop }
end

---@class hclexpr.module.tests.Names
---@field test hclexpr.module.tests.File
---@field findings hclexpr.Findings those of the file
---@field outputs table<string, table<string, hclexpr.Value>> the outputs of judged runs
---@field known table<string, { value?: hclexpr.Value, place: hclexpr.findings.Place, status: string }> the file's variables
local Names = {}
Names.__index = Names

--- Reads the values that files give to variables; returns nil and Diagnostics if a file can't be read.
---@param module hclexpr.Module
---@return table? given
---@return hclexpr.Diagnostics?
function Names.outside(module)
  local findings, limits = Findings.new(true), module.loader.limits
  local given = { of_folder = inputs.collect(module.options, module.dir, module.files, limits, findings).rows, environment = {} }
  local below = Files.join(module.dir, module.options.test_dir or "tests")
  given.of_tests = inputs.automatic(below, module.files, limits, findings).rows
  given.below = below .. "/"
  local err = findings:diagnostics()
  if Findings.has_errors(err) then return nil, err end
  return given
end

---@param module hclexpr.Module
---@param test hclexpr.module.tests.File
---@param outside table
---@param scope hclexpr.Scope
---@param findings hclexpr.Findings
---@return hclexpr.module.tests.Names
function Names.new(module, test, outside, scope, findings)
  local is_below = test.path:sub(1, #outside.below) == outside.below
  return setmetatable({ module = module, test = test, outside = outside, scope = scope, findings = findings, outputs = {}, known = {},
                        is_below = is_below }, Names)
end

-- Returns the row of a value that is given to a name outside of the test file, or nil.
local function row_of(self, name)
  return self.is_below and self.outside.of_tests[name] or self.outside.of_folder[name]
    or inputs.of_environment(self.module.options.environment, name)
end

--- Returns the value given to a module's variable outside of the test file, as an Input. The second result is true if the value can't be
--- read; then a report says why.
---@param declaration hclexpr.module.Declaration
---@param findings hclexpr.Findings
---@return hclexpr.module.Input?
---@return boolean? wrong
function Names:input(declaration, findings)
  local row = row_of(self, declaration.name)
  if not row then return nil end
  local given = row.read(declaration, findings)
  return given, given == nil
end

-- Returns the value of a variable that the file declares: a value given outside of the file, or the default. If that is wrong or missing,
-- returns nil after a report. Reference: such a value is never sensitive.
local function declared(self, declaration, findings)
  local given, wrong = self:input(declaration, findings)
  if wrong then return nil end
  if not given and declaration.default == nil then
    findings:report("MODULE_INPUT_MISSING", places.head_of(declaration), "The variable %s has no default, and no value is given. Set "
      .. "it in a setting, a file of variables or the environment variable TF_VAR_%s.", core.quote(declaration.name), declaration.name)
    return nil
  end
  local value = inputs.convert(declaration, given or {}, findings)
  if not value or not declaration.sensitive then return value end
  return declaration.ephemeral and value:unmark():mark "ephemeral" or value:unmark()
end

--- Returns what the file gives a variable: { value, place }, or after a mistake { place, status = "skip" or "error" }; nil if the file
--- neither declares the variable nor gives it a value.
---@param name string
---@return table?
function Names:of_file(name)
  local known, attribute = self.known[name], self.test.variables and self.test.variables[name]
  local declaration = self.test.declared[name]
  if known or not (attribute or declaration) then return known end
  local made = {}
  self.known[name] = made
  if attribute then
    made.place = places.of_expression(attribute.expression)
    made.value, made.status = self:value(attribute.expression, self.findings)
  else
    made.place, made.value = places.head_of(declaration), declared(self, declaration, self.findings)
  end
  if made.value == nil then made.status = made.status or "error" end
  return made
end

-- Returns the value of var.NAME, or nil and the status "skip" or "error".
local function variable(self, traversal, object, findings)
  local step = traversal.steps[2]
  local place = { object = object, range = between(traversal.steps[1], step) }
  local known = self:of_file(step.text)
  if known then return known.value, known.status end
  local row = row_of(self, step.text)
  if not row then
    findings:report("MODULE_TEST_RUN", place, "var.%s has no value here. In a test file it gets one from variables { ... } or from the "
      .. "command line.", step.text)
    return nil, "error"
  end
  findings:report("MODULE_DEPRECATED", place, "The file uses var.%s from the command line without declaring it. Add variable %q {} to it.",
    step.text, step.text)
  local given = row.read({ name = step.text, parsed = true }, findings)
  if not given then return nil, "error" end
  return given.value
end

-- Returns the value of run.NAME, which is the run's outputs; or nil and the status "skip" or "error".
local function run(self, traversal, object, findings)
  local step = traversal.steps[2]
  local place = { object = object, range = between(traversal.steps[1], step) }
  local name = step.text
  local outputs = self.outputs[name]
  if not outputs then
    if self.test.names[name] then return nil, "skip" end
    findings:report("MODULE_TEST_RUN", place, "This file has no run %s.", core.quote(name))
    return nil, "error"
  end
  local expression = check.possible(core.compile(traversal.path))
  local value = expression and check.possible(expression:value({ run = { [name] = outputs } }, self.scope))
  if value ~= nil and not value:is_wholly_known() then
    findings:report("MODULE_TEST_UNKNOWN", place, "%s isn't known: the run %s only plans, and the value is known after an apply.",
      traversal.path, core.quote(name))
    return nil, "error"
  end
  return outputs
end

local readers = { var = variable, run = run }

--- Returns the names that an object uses, { var = {}, run = {} }; or reports mistakes and returns nil and the status "skip" or "error".
---@param object hclexpr.Expression|hclexpr.Body
---@param findings hclexpr.Findings
---@return table?
---@return string? status
function Names:used(object, findings)
  local found, status = { var = {}, run = {} }, nil
  for _, traversal in ipairs(core.traversals(object)) do
    local steps = traversal.steps
    local root, step = steps[1].text, steps[2]
    if not readers[root] or not step or step.kind ~= "attr" then
      -- Reference: the place of a name in brackets is that of the brackets.
      local range = readers[root] and step and step.range or between(steps[1], steps[#steps])
      findings:report("MODULE_TEST_RUN", { object = object, range = range }, "Write names of variables and of runs before this one: "
        .. "var.NAME, run.NAME.OUTPUT.")
      status = "error"
    else
      local value, why = readers[root](self, traversal, object, findings)
      if value ~= nil then found[root][step.text] = value else status = status == "error" and status or why end
    end
  end
  if status then return nil, status end
  return found
end

--- Returns the value of an expression in the file; or reports mistakes and returns nil and the status "skip" or "error".
---@param expression hclexpr.Expression
---@param findings hclexpr.Findings
---@return hclexpr.Value?
---@return string? status
function Names:value(expression, findings)
  local found, status = self:used(expression, findings)
  if not found then return nil, status end
  local value, err = expression:value(found, self.scope)
  if value ~= nil then return value end
  findings:add(err)
  return nil, "error"
end

--- Returns the value of a variable that only tests have. Returns nil if the variable doesn't exist or, after a report, if its value is
--- wrong.
---@param at { [1]: table, [2]: hclexpr.Expression } the traversal that names it, and the expression with the traversal
---@param findings hclexpr.Findings
---@return hclexpr.Value?
function Names:of_test(at, findings)
  local name = at[1].steps[2].text
  if not self:of_file(name) and not row_of(self, name) then return nil end
  return (variable(self, at[1], at[2], findings))
end

--- Adds the names of variables and runs in an object to two sets: { name = true }.
---@param object hclexpr.Expression|hclexpr.Body
---@param vars table<string, true>
---@param runs table<string, true>
function Names.collect(object, vars, runs)
  for _, traversal in ipairs(core.traversals(object)) do
    local root, step = traversal.steps[1].text, traversal.steps[2]
    local into = root == "var" and vars or root == "run" and runs
    if into and step and step.kind == "attr" then into[step.text] = true end
  end
end

return Names
