-- The language of test files and of files of mocks, in the form of language.lua.
local language = require "hclexpr.terraform.language.language"

local test_files = {}

local during = [[
  override_during keyword apply plan: From when on the values count.
]]

local function override(about, given)
  return { about = about, arguments = during .. [[
  target reference: What is replaced.
  ]] .. given }
end

local override_resource = override("Values of a resource, which isn't made.", "values map(any): Values of attributes.")
local override_data = override("Values of a data source, which isn't read.", "values map(any): Values of attributes.")
local override_module = override("Outputs of a module, which isn't evaluated.", "outputs map(any): Values of outputs.")

local variables = { about = "Values of the module's variables.", rest = "any" }

local function mock(about)
  return { about = about, labels = { "type" }, arguments = during .. [[
  defaults map(any): Values of attributes.]] }
end

--- A file of mocks.
test_files.mocks = { blocks = {
  mock_resource = mock "What resources of a type get.", mock_data = mock "What data sources of a type give.",
  override_resource = override_resource, override_data = override_data,
} }

local run = {
  about = "A plan or apply of the module, and what is expected of it.", labels = { "name" }, arguments = [[
  command keyword apply plan: What is run; without it, apply.
  providers map of provider: Configurations of this file for those of the module.
  expect_failures list of reference: What must fail.
  state_key constant string: Runs with the same key share a state.
  parallel constant bool: May it run beside others?]],
  reserved_arguments = "skip_cleanup",
  blocks = {
    plan_options = { about = "How the plan is made.", arguments = [[
  mode keyword normal refresh-only: What is planned.
  refresh constant bool: Is the state brought up to date first?
  replace list of reference: What is replaced though nothing changed.
  target list of reference: What is planned alone.]] },
    assert = language.rule, variables = variables,
    module = { about = "Another module than that of the folder.", arguments = [[
  source source: Its folder, or its address in a registry.
  version string: Which versions will do.]] },
    override_resource = override_resource, override_data = override_data, override_module = override_module,
    backend = { labels = { "name" }, reserved = true, rest = "any" },
  },
}

--- A file of tests. Its block `test` is read before all others.
test_files.head = { rest = "any", blocks = {
  test = { about = "What holds for all runs of the file.", arguments = [[
  parallel constant bool: May runs go on beside each other?]], reserved_arguments = "skip_cleanup" },
} }
test_files.file = { blocks = {
  run = run, provider = language.file.blocks.provider, variable = language.file.blocks.variable, variables = variables,
  mock_provider = {
    about = "A provider that makes values up.", labels = { "name" }, blocks = test_files.mocks.blocks, arguments = during .. [[
  alias string: The name of a further one.
  source string: A folder with files of mocks.]],
  },
  override_resource = override_resource, override_data = override_data, override_module = override_module,
} }

return test_files
