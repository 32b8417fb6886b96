-- Defines the language of test files and files of mocks, in the form of language.lua.
local language = require "hclexpr.terraform.language.language"

local test_files = {}

local during = [[
  override_during keyword apply plan: When the values begin to apply.
]]

local function override(about, given)
  return { about = about, arguments = during .. [[
  target reference: The overridden object.
  ]] .. given }
end

local override_resource = override("Values of a resource, which isn't created.", "values map(any): Values of attributes.")
local override_data = override("Values of a data source, which isn't read.", "values map(any): Values of attributes.")
local override_module = override("Outputs of a module, which isn't evaluated.", "outputs map(any): Values of outputs.")

local variables = { about = "Values of the module's variables.", rest = "any" }

local function mock(about)
  return { about = about, labels = { "type" }, arguments = during .. [[
  defaults map(any): Values of attributes.]] }
end

--- The row of a file of mocks.
test_files.mocks = { blocks = {
  mock_resource = mock "What resources of a type get.", mock_data = mock "What data sources of a type give.",
  override_resource = override_resource, override_data = override_data,
} }

local run = {
  about = "A plan or apply of the module, and its assertions.", labels = { "name" }, arguments = [[
  command keyword apply plan: The command to run; default: apply.
  providers map of provider: Configurations of this file, by their names in the module.
  expect_failures list of reference: Objects whose conditions must fail.
  state_key constant string: Runs with the same key share a state.
  parallel constant bool: Whether it may run in parallel with others.]],
  reserved_arguments = "skip_cleanup",
  blocks = {
    plan_options = { about = "Options of the plan.", arguments = [[
  mode keyword normal refresh-only: The kind of plan.
  refresh constant bool: Whether to refresh the state first.
  replace list of reference: Instances to replace even if nothing in them changed.
  target list of reference: The only objects to plan, with their dependencies.]] },
    assert = language.rule, variables = variables,
    module = { about = "A module to run instead of the folder's.", arguments = [[
  source source: Its folder, or its address in a registry.
  version string: The accepted versions.]] },
    override_resource = override_resource, override_data = override_data, override_module = override_module,
    backend = { labels = { "name" }, reserved = true, rest = "any" },
  },
}

--- The row with which a test file is read first, for its `test` block.
test_files.head = { rest = "any", blocks = {
  test = { about = "Settings for all runs of the file.", arguments = [[
  parallel constant bool: Whether runs may be executed in parallel.]], reserved_arguments = "skip_cleanup" },
} }
test_files.file = { blocks = {
  run = run, provider = language.file.blocks.provider, variable = language.file.blocks.variable, variables = variables,
  mock_provider = {
    about = "A provider that generates values.", labels = { "name" }, blocks = test_files.mocks.blocks, arguments = during .. [[
  alias string: The name of a further configuration.
  source string: A folder with files of mocks.]],
  },
  override_resource = override_resource, override_data = override_data, override_module = override_module,
} }

return test_files
