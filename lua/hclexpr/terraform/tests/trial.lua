-- A Trial has what a run of a test file adds to the Run of its walk (run/run.lua): replacements of providers and modules, and expected
-- failures. A plan has one Trial, and the apply after it another.
local lazy = require "hclexpr.lazy"
local overrides = lazy "hclexpr.terraform.tests.overrides"
local Mock = lazy "hclexpr.terraform.providers.mock"
local Findings = require "hclexpr.terraform.language.findings"
local naming = require "hclexpr.terraform.language.naming"

---@class hclexpr.module.tests.Trial
---@field work hclexpr.module.tests.Work
---@field applying boolean
---@field met table<string, true> expected failures that happened
---@field warnings hclexpr.Findings failures of checks while the apply is planned
---@field early table<string, true> expected failures of an apply that already happened in its plan
local Trial = {}
Trial.__index = Trial

---@param work hclexpr.module.tests.Work
---@param applying boolean
---@return hclexpr.module.tests.Trial
function Trial.new(work, applying)
  return setmetatable({ work = work, applying = applying, met = {}, early = {},
                        warnings = Findings.new(true) }, Trial)
end

-- Failures

local of_checks = { MODULE_ASSERTION = "MODULE_TEST_CHECK", MODULE_ASSERTION_UNKNOWN = "MODULE_TEST_CHECK",
                    MODULE_DATA_CHECK = "MODULE_DATA" }
local of_tests = { MODULE_TEST_ASSERTION = true, MODULE_TEST_UNKNOWN = true }

--- Returns the message for an assertion whose result is unknown, with advice.
---@param said? string what the assertion's value comes from
---@return string
function Trial:unknown_text(said)
  if self.work.run.command == "apply" then
    return (said or "Whether this holds isn't known, since no provider runs.") .. " Give the value by an override or a mock_provider."
  end
  return (said or "Whether this holds is known only after an apply.") .. " Use command = apply, or give the value by an override with "
    .. "override_during = plan."
end

--- Returns the row by which a failure is reported, or nil if it isn't reported; then the findings that get the report, or nil for those of
--- the walk.
---@param address string
---@param row string
---@return string?
---@return hclexpr.Findings?
function Trial:row_for(address, row)
  local run, check = self.work.run, of_checks[row]
  if of_tests[row] then return row end
  -- While an apply is planned, failures of checks are set aside. The apply checks again; if it never happens, they become warnings.
  local planning = run.command == "apply" and not self.applying
  if check and planning then return row, self.warnings end
  local expected, key = self.work.expected, address
  if not expected[key] then key = address:gsub("%[.*$", "") end
  if not expected[key] or address:find "^module%." then return check or row end
  if planning then
    self.early[key] = true
    return row
  end
  self.met[key] = true
  return nil
end

-- Providers

--- Returns the provider that answers for an instance: a mock made from a mock_provider or an override, or its own provider.
---@param request hclexpr.provider.Request
---@param own hclexpr.Provider
---@return hclexpr.Provider
function Trial:provider_for(request, own)
  local work, declaration = self.work, request.declaration
  local mock = work:mock_of(request.instance.config, declaration)
  if declaration.mode == "ephemeral" then return mock and Mock.new(own) or own end
  local address = naming.instance(declaration.address, request.key)
  local double = overrides.find(work:overrides(mock), mock, declaration, request.instance.address, address)
  if not double and (not self.applying or own.source == naming.BUILTIN) then return own end
  return Mock.new(own, double)
end

-- Modules

--- Returns the outputs that an override gives a module's instance, by name, or nil if no override applies.
---@param config hclexpr.module.Config that of the module
---@param instance hclexpr.module.Instance the instance with the call
---@param key integer|string|false
---@return table<string, hclexpr.Value>?
function Trial:outputs_for(config, instance, key)
  local whole = naming.within(instance.address, config.call.address)
  local one = overrides.of_module(self.work:overrides(), naming.instance(whole, key), whole)
  local given = one and one.value and one.value:unmark()
  local values = one and {}
  for name in pairs(given and config.folder.outputs or {}) do values[name] = given:get(name) end
  return values
end

--- Returns the fields of the Run that this trial sets.
---@return table
function Trial:fields()
  local function of(method) return function(...) return self[method](self, ...) end end
  return { keeps_outputs = false, configured = self.work.replaced_providers, provider_for = of "provider_for",
           outputs_for = of "outputs_for", row_for = of "row_for", unknown_text = of "unknown_text" }
end

return Trial
