-- Reads the blocks of test files, with a function for each type of block.
local core = require "hclexpr.core"
local language = require "hclexpr.terraform.language.test_files"
local lazy = require "hclexpr.lazy"
local places = require "hclexpr.places"
local provider = lazy "hclexpr.terraform.read.blocks.provider"
local provider_names = lazy "hclexpr.terraform.read.provider_names"
local reading = require "hclexpr.terraform.read.reading"
local rows = require "hclexpr.terraform.language.rows"
local sources = require "hclexpr.terraform.tree.sources"
local constant_expressions = require "hclexpr.terraform.read.constant_expressions"
local target_addresses = lazy "hclexpr.terraform.read.target_addresses"
local variable = lazy "hclexpr.terraform.read.blocks.variable"
local versions = lazy "hclexpr.terraform.read.versions"

local blocks = {}

local function report(reader, place, text, ...)
  reader.findings:report("MODULE_TEST", place, text, ...)
end

local function twice(reader, place, what, before)
  reader.findings:report("MODULE_DUPLICATE", place, "There is %s at %s already. Remove one of the two.", what, places.words(before))
end

local function label(block)
  return { object = block, range = block.label_ranges[1] }
end

-- Returns the word in an argument if its row allows it; otherwise reports that and returns nil.
local function word_of(reader, attribute, row, place)
  local words, word = rows.words(row, attribute.name), constant_expressions.keyword(constant_expressions.of(reader, attribute))
  if word and words[word] then return word end
  report(reader, place or places.of_attribute(attribute), "%s must be one of the words %s, without quotes.",
    attribute.name, table.concat(words, ", "))
end

local function during(reader, attribute, row)
  return attribute and word_of(reader, attribute, row, { object = attribute, range = attribute.range })
end

-- Rejects arguments that only experimental builds of the reference have.
local function not_here(reader, arguments, row)
  reading.refuse_reserved(reader, arguments, row, "MODULE_TEST", "%s is only for experimental versions of the language.")
end

-- override_resource, override_data, override_module

local wanted = {
  override_resource = { managed = true, what = "a resource" }, override_data = { data = true, what = "a data source" },
  override_module = { module = true, what = "a module" },
}

local function read_target(reader, attribute, type)
  local p = constant_expressions.of(reader, attribute)
  local target, why = target_addresses.read(p)
  if not target then return report(reader, { object = attribute.expression, range = why.range }, "%s", why.text) end
  if wanted[type][target.kind] then return target end
  report(reader, { object = attribute, range = attribute.range }, "The target of %s is %s.", type, wanted[type].what)
end

-- Reads an override block and adds it to a list, by its target.
local function override(reader, block, row, list)
  local arguments = reading.level(reader, block.body, row)
  local made = { type = block.type, block = block, values = arguments.values or arguments.outputs }
  made.during = during(reader, arguments.override_during, row)
  if not arguments.target then
    report(reader, places.of_block(block), "%s needs a target: target = ...", block.type)
    return
  end
  made.place = { object = arguments.target, range = arguments.target.range }
  made.target = read_target(reader, arguments.target, block.type)
  local known = made.target and list[made.target.key]
  if known then return twice(reader, places.of_block(block), "a block for " .. made.target.key, known.block.head_range) end
  if made.target then list[made.target.key], list[#list + 1] = made, made end
end

-- mock_provider

local function mock(reader, block, row, made)
  local arguments = reading.level(reader, block.body, row)
  local list, type = made[block.type], block.labels[1]
  local one = { block = block, values = arguments.defaults, during = during(reader, arguments.override_during, row) }
  if list[type] then return twice(reader, label(block), ("a block %s %q"):format(block.type, type), list[type].block.head_range) end
  list[type] = one
end

local function mocks(reader, list, made)
  for _, one in ipairs(list) do
    local row = language.mocks.blocks[one.type]
    if made[one.type] then mock(reader, one, row, made) else override(reader, one, row, made.overrides) end
  end
end

-- Makes an empty table for the content of mock blocks.
local function no_mocks() return { mock_resource = {}, mock_data = {}, overrides = {} } end

local function declare_provider(reader, block, made)
  local all = reader.test.providers
  if all[made.key] then
    return twice(reader, places.of_block(block), "a provider " .. made.key, all[made.key].block.head_range)
  end
  all[made.key], all[#all + 1] = made, made
end

local function mock_provider(reader, block, row)
  local name = block.labels[1]
  local arguments, inner = reading.level(reader, block.body, row)
  if not provider_names.check_name(reader, name, places.of_block(block)) then return end
  local alias = provider.read_alias(reader, arguments.alias)
  local made = no_mocks()
  made.name, made.alias, made.block, made.mocked = name, alias, block, true
  made.key, made.source = alias and name .. "." .. alias or name, reading.text(reader, arguments.source)
  made.during = during(reader, arguments.override_during, row)
  mocks(reader, inner, made)
  declare_provider(reader, block, made)
end

local function real_provider(reader, block, row)
  local made = provider.read(reader, block, row)
  if not made then return end
  if made.arguments.version then
    report(reader, places.of_attribute(made.arguments.version), "A provider of a test has no version. Name it in required_providers of the "
      .. "folder.")
  end
  declare_provider(reader, block, made)
end

--- Reads files of mocks. `list` has { reader, body } for each file.
---@param list table[]
---@return table mocks in the form that a mock_provider block gives
function blocks.read_mocks(list)
  local made = no_mocks()
  for _, file in ipairs(list) do mocks(file[1], select(2, reading.level(file[1], file[2], language.mocks)), made) end
  return made
end

-- run

local inner = {}

local function arguments_of(reader, block, _, of)
  if of.variables_block then
    return twice(reader, places.of_block(block), "a block variables", of.variables_block.head_range)
  end
  of.variables_block, of.variables = block, {}
  for _, attribute in ipairs((reading.arguments(reader, block.body))) do of.variables[attribute.name] = attribute end
end

inner.variables = arguments_of

function inner.assert(reader, block, row, run)
  local rule = reading.rule(reader, block, row)
  rule.kind = "test"
  run.rules[#run.rules + 1] = rule
end

function inner.plan_options(reader, block, row, run)
  if run.options then return twice(reader, places.of_block(block), "a block plan_options", run.options.block.head_range) end
  local before = reader.findings:count()
  local arguments = reading.level(reader, block.body, row)
  local made = { block = block, mode = arguments.mode and word_of(reader, arguments.mode, row) or "normal" }
  reading.constants(reader, made, arguments, row)
  made.replace = reading.depends_on(reader, arguments.replace)
  made.target = reading.depends_on(reader, arguments.target)
  if made.refresh == false and made.mode == "refresh-only" then
    report(reader, { object = arguments.refresh, range = arguments.refresh.range }, "A run that only refreshes can't have refresh = false.")
  end
  if reader.findings:count() == before then run.options = made end
end

local function read_source(reader, attribute, versioned)
  local text = reading.text(reader, attribute)
  if not text then return nil end
  local kind, why = sources.kind(text, versioned)
  if kind == "local" or kind == "registry" then return text, kind end
  report(reader, { object = attribute, range = attribute.range }, "%s", why or "The module of a run must be in a folder or a registry.")
end

function inner.module(reader, block, row, run)
  if run.module then twice(reader, places.of_block(block), "a block module", run.module.block.head_range) end
  local before = reader.findings:count()
  local arguments = reading.level(reader, block.body, row)
  local made = { block = block, version = arguments.version and core.written(arguments.version) }
  if arguments.version then versions.read(reader, arguments.version) end
  if arguments.source then
    made.source, made.kind = read_source(reader, arguments.source, arguments.version ~= nil)
  else
    report(reader, places.of_block(block), "The module of a run needs a source: source = \"./folder\"")
  end
  if reader.findings:count() == before then run.module = made end
end

local function run_override(reader, block, row, run) override(reader, block, row, run.overrides) end
inner.override_resource, inner.override_data, inner.override_module = run_override, run_override, run_override

function inner.backend(reader, block)
  report(reader, places.of_block(block), "Runs can have a backend only in experimental versions of the language.")
end

local function run_block(reader, block, row)
  local before, name = reader.findings:count(), block.labels[1]
  local arguments, list = reading.level(reader, block.body, row)
  local test = reader.test
  local run = { name = name, block = block, rules = {}, overrides = {}, command = "apply" }
  reading.check_name(reader, block, 1, "run")
  for _, one in ipairs(list) do inner[one.type](reader, one, row.blocks[one.type], run) end
  if arguments.command then run.command = word_of(reader, arguments.command, row) end
  run.providers = arguments.providers and provider_names.passed(reader, arguments.providers)
  run.failures = reading.depends_on(reader, arguments.expect_failures)
  run.failures_of = arguments.expect_failures
  reading.constants(reader, run, arguments, row)
  not_here(reader, arguments, row)
  if reader.findings:count() == before then test.runs[#test.runs + 1] = run end
  local known = test.names[name]
  if known then return twice(reader, label(block), ("a run %q"):format(name), known.head_range) end
  test.names[name] = block
end

-- Files

local function variable_block(reader, block, row)
  local before = reader.findings:count()
  variable.declare(reader, block, row)
  local name, test = block.labels[1], reader.test
  local given = test.variables and test.variables[name]
  if given and reader.findings:count() == before then
    twice(reader, places.of_block(block), "a value of the variable " .. name, given.range)
  end
end

local function variables_block(reader, block, row)
  local test = reader.test
  arguments_of(reader, block, row, test)
  for name, d in pairs(test.variables_block == block and reader.folder.variables or {}) do
    if test.variables[name] then twice(reader, places.head_of(d), "a value of the variable " .. name, test.variables[name].range) end
  end
end

local function file_override(reader, block, row) override(reader, block, row, reader.test.overrides) end

local readers = {
  run = run_block, provider = real_provider, mock_provider = mock_provider, variable = variable_block, variables = variables_block,
  override_resource = file_override, override_data = file_override, override_module = file_override,
}

-- Reads the `test` block. Returns the rest of the body, or nil after a mistake; then the file is ignored.
local function read_head(reader, body)
  local before = reader.findings:count()
  local _, list, rest = reading.level(reader, body, language.head)
  for i = 2, #list do twice(reader, places.of_block(list[i]), "a block test", list[1].head_range) end
  if list[1] and not list[2] then
    local row = language.head.blocks.test
    local arguments = reading.level(reader, list[1].body, row)
    reading.constants(reader, reader.test, arguments, row)
    not_here(reader, arguments, row)
  end
  if reader.findings:count() == before then return rest end
end

--- Reads the body of a file and adds its content to reader.test.
---@param reader hclexpr.module.Reader
---@param body hclexpr.Body
function blocks.read(reader, body)
  local rest = read_head(reader, body)
  if not rest then return end
  local _, list = reading.level(reader, rest, language.file)
  if not reading.hold(reader, list, places.of_block) then return end
  for _, block in ipairs(list) do readers[block.type](reader, block, language.file.blocks[block.type]) end
end

return blocks
