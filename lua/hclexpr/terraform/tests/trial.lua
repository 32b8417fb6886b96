-- Trials: what only a run of a test file has, beside what each plan goes by (run/run.lua): what replaces providers and modules, and which
-- failures are expected. One for a plan, another one for the apply behind it.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local deprecation = lazy "hclexpr.terraform.instance.deprecation"
local mock_values = lazy "hclexpr.terraform.tests.mock_values"
local Mock = lazy "hclexpr.terraform.providers.mock"
local Findings = require "hclexpr.terraform.language.findings"
local State = lazy "hclexpr.terraform.plan.state"
local naming = require "hclexpr.terraform.language.naming"

---@class hclexpr.module.tests.Trial
---@field work hclexpr.module.tests.Work
---@field applying boolean
---@field met table<string, true> expected failures that were there
---@field warnings hclexpr.Findings of checks, while planning what is applied
---@field early table<string, true> failures that are expected of an apply, and were there while planning
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

--- What to say of an assertion that isn't known, with the way out.
---@param said? string what it comes from
---@return string
function Trial:unknown_text(said)
  if self.work.run.command == "apply" then
    return (said or "Whether this holds isn't known, since no provider runs.") .. " Give the value by an override or a mock_provider."
  end
  return (said or "Whether this holds is known only after an apply.") .. " Use command = apply, or give the value by an override with "
    .. "override_during = plan."
end

--- The row by which a failure is reported; nil: it isn't. Second: where, if not to the walk.
---@param address string
---@param row string
---@return string?
---@return hclexpr.Findings?
function Trial:row_of(address, row)
  local run, check = self.work.run, of_checks[row]
  if of_tests[row] then return row end
  -- An apply reports itself what its checks come to; where none follows, they are warnings.
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

--- Does the test configure a provider in the place of the module?
---@param declaration hclexpr.module.Declaration of the provider
---@return boolean
function Trial:configures(declaration)
  return self.work.replaced_providers[declaration.key] ~= nil
end

--- Who speaks for an instance: a mock, an override, or its own provider.
---@param request hclexpr.provider.Request
---@param own hclexpr.Provider
---@return hclexpr.Provider
function Trial:provider_for(request, own)
  local work, declaration = self.work, request.declaration
  local mock = work:mock_of(request.instance.config, declaration)
  if declaration.mode == "ephemeral" then return mock and Mock.new(own) or own end
  local address = naming.instance(declaration.address, request.key)
  local double = mock_values.find(work:overrides(mock), mock, declaration, request.instance.address, address)
  if not double and (not self.applying or own.source == naming.BUILTIN) then return own end
  return Mock.new(own, double)
end

-- Modules

--- Puts the outputs of an instance of a module that an override gives. false: none does.
---@param config hclexpr.module.Config of the module
---@param instance hclexpr.module.Instance in which it is called
---@param key integer|string|false
---@param expansion hclexpr.module.Expansion
---@return boolean
function Trial:replaces(config, instance, key, expansion)
  local whole = naming.within(instance.address, config.call.address)
  local one = mock_values.of_module(self.work:overrides(), naming.instance(whole, key), whole)
  if not one or not expansion.outputs then return false end
  for name, declaration in pairs(config.folder.outputs) do
    local value = one.value and one.value:unmark():get(name) or core.value(core.null)
    if declaration.sensitive then value = value:mark "sensitive" end
    expansion.outputs[key][name] = self.work.base.run.deprecations and deprecation.of_output(declaration, value) or value
  end
  return true
end

-- States

-- The attributes of a resource's value, by name; nil: it has none. Without a schema they are what is known of an open object.
local function attributes_of(value)
  local plain = value and value:unmark()
  if not plain then return nil end
  local known = plain
  if not plain:is_known() then known = (plain:refinements() or {}).attributes end
  if not known then return nil end
  local made = {}
  for name, part in known:pairs() do made[name] = part end
  return made
end

--- The state behind an apply: what it made, and of what failed what was there.
---@param walk hclexpr.module.Walk
---@param before? hclexpr.module.State
---@return hclexpr.module.State
function Trial.state_of(walk, before)
  local entries, targets = {}, walk.run.targets
  for _, node in ipairs(walk.graph:of_list "resources") do
    local declaration = node.declaration
    for _, instance in ipairs(declaration.mode == "managed" and walk.instances[node.config] or {}) do
      local address = naming.within(instance.address, declaration.address)
      local expansion = (not targets or targets.nodes[node]) and instance.resources[declaration.address]
      local of_address = expansion and {} or before and before.entries[address]
      for _, key in ipairs(expansion and expansion.keys or {}) do
        local made = attributes_of(expansion.instances[key])
        if made then
          of_address[key --[[@as any]]] = {
            made = made, module = instance.address, address = declaration.address, key = key, type = declaration.type,
            name = declaration.name,
          }
        elseif before then of_address[key --[[@as any]]] = before:entry(instance, declaration, expansion.mode, key) end
      end
      entries[address] = of_address
    end
  end
  for address, kept in pairs(targets and before and before.entries or {}) do entries[address] = entries[address] or kept end
  return State.of(walk.module, entries)
end

return Trial
