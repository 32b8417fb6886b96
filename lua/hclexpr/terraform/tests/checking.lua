-- Reports mistakes in test files before anything runs: those in the files themselves, and those that show together with the tested folder.
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local lazy = require "hclexpr.lazy"
local Files = require "hclexpr.terraform.read.files"
local Findings = require "hclexpr.terraform.language.findings"
local places = require "hclexpr.places"
local test_providers = lazy "hclexpr.terraform.tests.test_providers"
local references = require "hclexpr.terraform.read.references"
local target_addresses = lazy "hclexpr.terraform.read.target_addresses"
local tests = require "hclexpr.terraform.tests.files"

local checking = {}

--- Reads those test files of a module again whose texts have changed; returns all of them.
---@param module hclexpr.Module
---@return hclexpr.module.tests.File[]
function checking.files(module)
  module.files:allow(core.scope_limits(module.options.scope)) -- the full limits each time, as for the module's own files
  module.tests = tests.read(module.dir, module.files, module.loader.limits, module.tests, module.options.test_dir)
  return module.tests
end

--- Warns if the folder named by the option `test_dir` is missing.
---@param module hclexpr.Module
---@param findings hclexpr.Findings
function checking.folder(module, findings)
  local below = module.options.test_dir
  if not below or below == tests.FOLDER or core.list_folder(module.files.scope, Files.join(module.dir, core.clean_path("./" .. below))) then
    return
  end
  findings:report("MODULE_TEST_UNSURE", {}, "The folder %s of tests is missing.", core.quote(below))
end

--- Reports mistakes in the files themselves; returns nil if the files are correct.
---@param list hclexpr.module.tests.File[]
---@return hclexpr.Diagnostics?
function checking.written(list)
  local findings = Findings.new(true)
  for _, test in ipairs(list) do findings:add_all(test.findings) end
  return findings:diagnostics()
end

-- Kinds of objects that may be expected to fail.
local checkable = { output = true, check = true, variable = true, resource = true }
local own_words = { output = true, check = true, run = true }
local reserved = { plan = true, state = true }

-- Reads a traversal in expect_failures. Returns the kind that it names and the range of its name; or nil and the range of the mistake. A
-- resource type without a name is a mistake.
local function named(traversal)
  local steps = traversal.steps
  local root, name = steps[1], steps[2]
  if reserved[root.text] then return nil, root.range end
  if not own_words[root.text] then
    local ref, why = references.read(traversal)
    if why or not ref then return nil, (why or root).range end
    return ref.kind == "output" and "call" or ref.kind, ref.range
  end
  if not name or name.kind ~= "attr" then return nil, (name or root).range end
  return root.text, { filename = root.range.filename, start = root.range.start, stop = name.range.stop }
end

--- Reports objects that can't be expected to fail.
---@param findings hclexpr.Findings
---@param run hclexpr.module.tests.Run
function checking.failures(findings, run)
  for _, traversal in ipairs(run.failures or {}) do
    local kind, at = named(traversal)
    if not (kind and checkable[kind]) then
      findings:report("MODULE_TEST", { object = run.failures_of, range = at }, "Only variables, outputs, checks, resources and data "
        .. "sources have conditions that can fail. %s has none.", traversal.path)
    end
  end
end

--- Reports overrides of missing objects.
---@param findings hclexpr.Findings
---@param list table[]
---@param exists fun(target: hclexpr.module.Target): boolean
function checking.overrides(findings, list, exists)
  for _, override in ipairs(list) do
    if not exists(override.target) then
      findings:report("MODULE_TEST_UNSURE", override.place, "The module has no %s, so this has no effect. Check the "
        .. "spelling.", (override.target.key:gsub("^%.", "")))
    end
  end
end

--- Reports providers that a run uses but its file lacks.
---@param findings hclexpr.Findings
---@param test hclexpr.module.tests.File
---@param run hclexpr.module.tests.Run
function checking.providers(findings, test, run)
  for _, pair in ipairs(run.providers or {}) do
    local parent = pair.parent
    if not test.providers[parent.key] then
      findings:report("MODULE_TEST", { object = parent.part.expression, range = parent.name_range }, "No provider %s is in this "
        .. "file. Declare it by a block provider or mock_provider.", parent.key)
    end
  end
end

-- Returns true if all modules of a tree could be read.
local function is_whole(root)
  for _, config in ipairs(dependencies.modules(root)) do
    if config.folder.broken then return false end
    for name in pairs(config.folder.calls) do
      if not config.children[name] then return false end
    end
  end
  return true
end

-- The largest number of modules of all runs together, including those that they call. A single tree has the same limit.
local MOST = 20000

-- Opens the module that a run tests instead of the folder; each module is opened once. If the module is missing (with `calm` only a
-- warning), or there are too many modules, reports that and returns false. If the module has mistakes, reports those in its files, and
-- returns its readable part.
local function open(module, test, run, known, findings, calm)
  local call, o = run.module, module.options
  local key = "test." .. test.path:sub(#Files.join(module.dir, "") + 1):gsub("%.tftest%.%a+$", ""):gsub("/", ".") .. "." .. run.name
  local dir, home = module.loader.sources:find(module.root, call.kind, call.source, call.version, key)
  local files = module.files
  local options = {
    scope = o.scope, schemas = module.documents.schemas or o.schemas, installed = module.imported, source = o.source,
    pause = o.pause, missing = o.missing,
    read = function(path) return files:unsaved_text(path) end, list = function(folder) return files:unsaved_names(folder) end,
  }
  local made, err, readable
  local folder = dir and core.absolute_path(dir)
  if known[folder] then return known[folder] end
  if known.count > MOST then
    findings:report("MODULE_TEST", places.of_block(call.block), "The runs before this one have more than %d modules. Split "
      .. "the tests into folders.", MOST)
    return false
  end
  if dir then made, err, readable = module.open_module(dir, options, true) end
  if dir then known[folder] = made or readable end
  -- As in Terraform, file paths are relative to the folder that has the tests.
  if known[folder] then
    known.count = known.count + known[folder].loader.count
    known[folder].paths, known[folder].home = { root = home, cwd = module.paths.cwd, home = home }, module.root.folder.key
  end
  if made then return made end
  if not readable and calm then
    findings:report("MODULE_TEST_UNSURE", places.of_block(call.block), "The module %s isn't here, so the run isn't checked.",
      core.quote(call.source))
    return false
  elseif not readable then
    findings:report("MODULE_MISSING", places.of_block(call.block), "The module %s isn't here. Name a folder of this one, or let terraform "
      .. "init fetch it.", core.quote(call.source))
    return false
  end
  if not is_whole(readable.root) then findings:add(err) end
  return readable
end

--- Reads everything that test files name: modules, into the field `other` of runs, and files of mocks, into providers. Returns the mistakes
--- in these and in the providers that runs use, or nil.
---@param module hclexpr.Module
---@param list hclexpr.module.tests.File[]
---@param calm? boolean a missing module of a run is a warning
---@return hclexpr.Diagnostics?
function checking.load(module, list, calm)
  local findings, known = Findings.new(true), { count = 0 }
  for _, test in ipairs(list) do
    for _, run in ipairs(test.runs) do
      run.other = run.module and open(module, test, run, known, findings, calm) or nil
    end
    for _, provider in ipairs(test.providers) do
      if provider.source then tests.read_mocks(module.dir, provider, module.files, module.loader.limits, findings) end
    end
    test_providers.check_types(findings, test, module.root.folder)
  end
  return findings:diagnostics()
end

--- Returns true if a module and all modules that it calls could be read.
---@param module hclexpr.Module
---@return boolean
function checking.is_whole(module)
  return is_whole(module.root)
end

--- Reports overrides in a file for objects that none of its modules has.
---@param findings hclexpr.Findings
---@param test hclexpr.module.tests.File
---@param roots hclexpr.module.Config[]
function checking.overrides_of_file(findings, test, roots)
  local function exists(target)
    for _, root in ipairs(roots) do
      if target_addresses.exists(root, target) then return true end
    end
    return false
  end
  for _, provider in ipairs(test.providers) do checking.overrides(findings, provider.overrides or {}, exists) end
  checking.overrides(findings, test.overrides, exists)
end

-- Reports mistakes in a run that show together with its module, and adds the module's root to `roots`. Returns false if the module is
-- missing.
local function check_run(module, findings, test, run, roots)
  if run.module and not run.other then return false end
  local root = (run.other or module).root
  roots[#roots + 1] = root
  checking.failures(findings, run)
  checking.overrides(findings, run.overrides, function(target) return target_addresses.exists(root, target) end)
  checking.providers(findings, test, run)
  return true
end

--- Reports mistakes that test files show together with the modules that they test, and mistakes in local modules of runs; returns nil if it
--- finds no mistakes.
---@param module hclexpr.Module
---@param list hclexpr.module.tests.File[]
---@return hclexpr.Diagnostics?
function checking.beside(module, list)
  local findings, seen = Findings.new(true), {}
  for _, test in ipairs(list) do
    local roots, whole = { module.root }, true
    for _, run in ipairs(test.runs) do
      local other = run.other
      if other and not seen[other] and run.module.kind == "local" then
        seen[other] = true
        local _, problems = other:_validate_files()
        findings:add(problems)
      end
      whole = check_run(module, findings, test, run, roots) and whole
    end
    if whole then checking.overrides_of_file(findings, test, roots) end
  end
  return findings:diagnostics()
end

return checking
