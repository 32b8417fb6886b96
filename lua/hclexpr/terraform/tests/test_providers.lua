-- Finds which providers of a test file a run's module uses, and for which of its resources.
local core = require "hclexpr.core"
local lazy = require "hclexpr.lazy"
local configuration = lazy "hclexpr.terraform.plan.configuration"
local overrides = lazy "hclexpr.terraform.tests.overrides"
local dependencies = require "hclexpr.terraform.read.dependencies"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"
local providers = require "hclexpr.terraform.tree.providers"

local test_providers = {}

local source_of, reference_of = providers.source, naming.provider_reference

local function key_of(folder, reference)
  return source_of(folder, reference.name) .. "|" .. (reference.alias or "")
end

-- Calls found(reference) for each provider configuration that the root of a module names.
local function each_named(folder, found)
  for name in pairs(folder.required_providers) do found { name = name } end
  for name, aliases in pairs(folder.provider_aliases) do
    for key in pairs(aliases) do found { name = name, alias = key:match "%.(.*)$" or key } end
  end
  for _, declaration in pairs(folder.providers) do found { name = declaration.name, alias = declaration.alias } end
  for _, declaration in pairs(folder.resources) do
    if declaration.mode ~= "ephemeral" then found(reference_of(declaration)) end
  end
  for _, name in ipairs(dependencies.outline(folder).calls) do
    for _, pair in ipairs(folder.calls[name].providers or {}) do found(pair.parent) end
  end
end

--- Returns the providers of a file that a run uses, by their names in the root of its module.
---@param test hclexpr.module.tests.File
---@param run hclexpr.module.tests.Run
---@param tested hclexpr.module.Folder the folder that has the tests
---@param folder hclexpr.module.Folder the folder of the run's module
---@return table<string, table>
function test_providers.of_run(test, run, tested, folder)
  local found = {}
  if run.providers and run.providers[1] then
    for _, pair in ipairs(run.providers) do found[key_of(folder, pair.child)] = test.providers[pair.parent.key] end
    return found
  end
  if not test.providers[1] then return found end
  local given = {}
  for _, provider in ipairs(test.providers) do given[key_of(tested, provider)] = provider end
  each_named(folder, function(reference)
    local key = key_of(folder, reference)
    found[key] = given[key]
  end)
  return found
end

-- Reports that one provider in a file is used as two different providers. `place` is where the other provider is required.
local function report_type(findings, place, name, type, wanted)
  findings:report("MODULE_TEST", place, "In this file %s is a provider of %s, because a run uses it as such. Here %s is required: "
    .. "declare another provider for it.", core.quote(name), type, wanted)
end

-- Records which source a run expects for each provider of its file. `types` has sources by local name, from the first run that uses each.
local function take_types(findings, types, test, run, folder)
  local named = {}
  for _, provider in ipairs(test.providers) do named[provider.name] = true end
  if not (run.providers and run.providers[1]) then
    each_named(folder, function(reference)
      local name = reference.name
      if named[name] then types[name] = types[name] or source_of(folder, name) end
    end)
    return
  end
  for _, pair in ipairs(run.providers) do
    local name, wanted = pair.parent.name, source_of(folder, pair.child.name)
    local type = types[name] or wanted
    if named[name] then types[name] = type end
    if type ~= wanted and not run.module then
      report_type(findings, { object = pair.parent.part.expression, range = pair.parent.name_range }, name, type, wanted)
    end
  end
end

--- Reports providers of a file that its runs use with different sources, in runs that test the folder itself.
---@param findings hclexpr.Findings
---@param test hclexpr.module.tests.File
---@param tested hclexpr.module.Folder the folder that has the tests
function test_providers.check_types(findings, test, tested)
  local types = {}
  for _, run in ipairs(test.runs) do
    local folder = run.other and run.other.root.folder or tested
    if run.other or not run.module then take_types(findings, types, test, run, folder) end
  end
  for _, run in ipairs(test.runs) do
    for _, provider in ipairs(not run.module and not (run.providers and run.providers[1]) and test.providers or {}) do
      local name, type = provider.name, types[provider.name]
      local wanted = tested.required_providers[name]
      local aliases = provider.alias and tested.provider_aliases[name]
      local is_wanted = wanted and (not provider.alias or aliases and aliases[provider.key])
      if is_wanted and type and type ~= wanted then report_type(findings, places.head_of(provider), name, type, wanted) end
    end
  end
end

--- Reports providers given to a run's module whose names mean another source in the tested folder. As in Terraform, this is reported only
--- when the run is executed.
---@param findings hclexpr.Findings
---@param run hclexpr.module.tests.Run
---@param tested hclexpr.module.Folder the folder that has the tests
---@param folder hclexpr.module.Folder the folder of the run's module
function test_providers.check_given(findings, run, tested, folder)
  for _, pair in ipairs(run.providers or {}) do
    local child, type, wanted = pair.child, source_of(tested, pair.parent.name), source_of(folder, pair.child.name)
    if type ~= wanted then
      findings:report("MODULE_TEST_RUN", { object = child.part.expression, range = child.name_range }, "In the module, %s is the source "
        .. "of %s, but in the tested folder %s has the source %s. Name both sources in required_providers.", wanted, child.name,
        pair.parent.name, type)
    end
  end
end

--- Lists the provider configurations with an alias that the root of a module names, but that neither the module nor the file has.
---@param folder hclexpr.module.Folder
---@param given table<string, table>
---@return string[]
function test_providers.absent(folder, given)
  local list, seen = {}, {}
  local function look(reference)
    local key = reference.alias and reference.name .. "." .. reference.alias
    if key and not seen[key] and not folder.providers[key] and not given[key_of(folder, reference)] then
      list[#list + 1], seen[key] = key, true
    end
  end
  for _, declaration in pairs(folder.resources) do look(reference_of(declaration)) end
  for _, name in ipairs(dependencies.outline(folder).calls) do
    for _, pair in ipairs(folder.calls[name].providers or {}) do look(pair.parent) end
  end
  table.sort(list)
  return list
end

--- Returns the provider of a file for a resource, or nil.
---@param config hclexpr.module.Config
---@param declaration hclexpr.module.Declaration
---@param given table<string, table>
---@return table?
function test_providers.of_resource(config, declaration, given)
  local home, source, alias = providers.home(config, reference_of(declaration))
  return home and not home.parent and given[source .. "|" .. (alias or "")] or nil
end

--- Returns the keys of a folder's provider blocks that a file's providers replace.
---@param folder hclexpr.module.Folder
---@param given table<string, table>
---@return table<string, true>
function test_providers.replaced(folder, given)
  local found = {}
  for key, declaration in pairs(folder.providers) do
    if given[key_of(folder, declaration)] then found[key] = true end
  end
  return found
end

-- Evaluation of a file's providers

-- Evaluates the values of a mock.
local function check_mock(provider, scope, findings)
  local before = findings:count()
  local function value_all(list)
    for _, one in pairs(list or {}) do overrides.value(one, scope, findings) end
  end
  for _, from in ipairs { provider, provider.shared } do
    value_all(from.mock_resource)
    value_all(from.mock_data)
    for _, one in ipairs(from.overrides) do overrides.value(one, scope, findings) end
  end
  return findings:count() == before and "done" or "error"
end

local unchecked = setmetatable({}, { __index = function() return false end })

-- Checks the arguments of a provider block that isn't a mock.
local function check_real(module, provider, names, findings)
  local variables = { var = {}, run = {} }
  for _, body in ipairs(provider.bodies) do
    local found, status = names:used(body, findings)
    if not found then return status end
    for root, values in pairs(found) do
      for name, value in pairs(values) do variables[root][name] = value end
    end
  end
  local row = module.evaluation.schema_of { kind = "provider", name = provider.name, folder = module.root.folder }
  local instance = { config = module.root, scope = names.scope, address = "" }
  local frame = { instance = instance, context = { folder = module.root.folder, known = unchecked }, variables = variables }
  local walk = { findings = findings, mode = "plan", module = module, evaluation = module.evaluation }
  return configuration.evaluate(walk, provider, row, frame) ~= nil and "done" or "error"
end

--- Evaluates a provider of a file and returns its status. For "error", mistakes were reported.
---@param module hclexpr.Module
---@param provider table
---@param names hclexpr.module.tests.Names
---@param findings hclexpr.Findings
---@return "done"|"skip"|"error"
function test_providers.check(module, provider, names, findings)
  if provider.mocked then return check_mock(provider, names.scope, findings) end
  return check_real(module, provider, names, findings)
end

-- Returns the sources of all providers that a tree of modules uses, as a set.
local function sources_in(root)
  local sources = {}
  for _, config in ipairs(dependencies.modules(root)) do
    each_named(config.folder, function(reference) sources[source_of(config.folder, reference.name)] = true end)
  end
  return sources
end

--- Reports providers of a file whose names are probably misspelt: its module doesn't use them, and the given schemas don't have them. The
--- arguments of other providers without a schema aren't checked, as everywhere.
---@param module hclexpr.Module
---@param test hclexpr.module.tests.File
---@param findings hclexpr.Findings
function test_providers.check_known(module, test, findings)
  if not module.documents.schemas then return end
  local named
  for _, provider in ipairs(test.providers) do
    local source = source_of(module.root.folder, provider.name)
    local document = module.evaluation.provider_at(source).document
    named = named or not document and sources_in(module.root) or nil
    if named and not document and not named[source] then
      findings:report("MODULE_TEST_RUN", {}, "No resource here uses the provider %s, which %s would be. Name the intended source in "
        .. "required_providers.", source, core.quote(provider.name))
    end
  end
end

return test_providers
