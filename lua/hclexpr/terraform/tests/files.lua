-- Reads the test files of a folder into runs, providers, variables and overrides. Test files are *.tftest.hcl and *.tftest.json, in the
-- folder itself and in tests/.
local blocks = require("hclexpr.lazy") "hclexpr.terraform.tests.blocks"
local core = require "hclexpr.core"
local Files = require "hclexpr.terraform.read.files"
local folders = require "hclexpr.terraform.read.folder"
local places = require "hclexpr.places"

local files = {}

---@class hclexpr.module.tests.File
---@field path string
---@field text string
---@field findings hclexpr.Findings mistakes in the file itself
---@field runs hclexpr.module.tests.Run[] runs without mistakes, in order
---@field names table<string, hclexpr.Block> all runs by name, including those with mistakes
---@field variables? table<string, hclexpr.Attribute> by name
---@field declared table<string, hclexpr.module.Declaration> `variable` blocks by name
---@field providers table by key, and in order
---@field overrides table overrides by target, and in order
---@field parallel? boolean

---@class hclexpr.module.tests.Run
---@field name string
---@field block hclexpr.Block
---@field command "plan"|"apply"
---@field rules hclexpr.module.Rule[] assertions
---@field variables? table<string, hclexpr.Attribute>
---@field options? table
---@field module? { source: string, kind: "local"|"registry", place: hclexpr.findings.Place }
---@field overrides table
---@field providers? table[] { child, parent } each
---@field failures? table[] traversals
---@field failures_of? hclexpr.Attribute
---@field state_key? string
---@field parallel? boolean

files.FOLDER = "tests"

--- Returns true if a file is a test file by its name.
---@param name string
---@return boolean
function files.is_test(name)
  return name:find "%.tftest%.hcl$" ~= nil or name:find "%.tftest%.json$" ~= nil
end

-- Lists the paths of the test files in a folder and in its folder of tests.
local function paths_of(dir, source, below)
  local found = {}
  local function add(folder, with_ignored)
    for _, name in ipairs(source:list(folder) or {}) do
      if files.is_test(name) and (with_ignored or not Files.is_ignored(name)) then found[#found + 1] = Files.join(folder, name) end
    end
  end
  add(dir, false)
  below = core.clean_path("./" .. (below or files.FOLDER)) -- reference: relative to `dir` even with a slash in front
  if below ~= "." then add(Files.join(dir, below), true) end -- reference: includes hidden files
  return found
end

local function read_one(dir, path, source, limits)
  local folder = folders.new(dir)
  local body, json, text = folders.parse(folder, source, path, limits)
  local test = { path = path, text = text, findings = folder.findings, runs = {}, names = {}, declared = folder.variables, providers = {},
                 overrides = {} }
  if not body then return test end
  local file = { path = path, text = text, blocks = {}, order = {} }
  blocks.read({ folder = folder, file = file, findings = folder.findings, json = json, override = false, at = 1, test = test,
    files = source }, body)
  return test
end

--- Reads the test files of a folder, in order. `known` has the files of an earlier reading, which are reused if their text is the same.
---@param dir string
---@param source hclexpr.module.Files
---@param limits? hclexpr.Limits
---@param known? hclexpr.module.tests.File[]
---@param below? string the folder of tests in `dir`; by default, tests
---@return hclexpr.module.tests.File[]
function files.read(dir, source, limits, known, below)
  local list, before = {}, {}
  for _, test in ipairs(known or {}) do before[test.path] = test end
  for i, path in ipairs(paths_of(dir, source, below)) do
    local old = before[path]
    list[i] = old and old.text and source:read(path) == old.text and old or read_one(dir, path, source, limits)
  end
  return list
end

--- Reads the files of mocks that a provider names; the result is provider.shared.
---@param dir string
---@param provider table
---@param source hclexpr.module.Files
---@param limits? hclexpr.Limits
---@param findings hclexpr.Findings
function files.read_mocks(dir, provider, source, limits, findings)
  local folder, list = Files.within(dir, provider.source), {}
  local names, why = source:list(folder)
  if not names then
    findings:report("MODULE_FILE", places.of_block(provider.block), "The folder of mocks %s can't be read: %s.", folder, why)
    return
  end
  local made = folders.new(folder)
  made.findings = findings
  for _, name in ipairs(names) do
    local path = Files.join(folder, name)
    local is_mock = not Files.is_ignored(name) and (name:find "%.tfmock%.hcl$" or name:find "%.tfmock%.json$")
    local body, json, text
    if is_mock then body, json, text = folders.parse(made, source, path, limits) end
    local file = { path = path, text = text, blocks = {}, order = {} }
    list[#list + 1] = body and { { folder = made, file = file, findings = findings, json = json, override = false, at = 1 }, body } or nil
  end
  provider.shared = blocks.read_mocks(list)
end

return files
