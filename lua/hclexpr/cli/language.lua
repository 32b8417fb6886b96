-- The option -language: a Lua file that returns the description of a language. The file is run because the user names it; a file that is
-- merely in an opened folder is never run.
local Findings = require "hclexpr.findings"
local configuration = require "hclexpr.languages.configuration"
local core = require "hclexpr.core"
local description = require "hclexpr.languages.description"
local evaluation = require "hclexpr.languages.evaluation"
local files = require "hclexpr.files"
local null_comparisons = require "hclexpr.cli.null_comparisons"
local shell = require "hclexpr.cli.shell"
local sources = require "hclexpr.languages.sources"
local types = require "hclexpr.cli.types"

local language = {}

--- Reads a file that describes a language; ends the command if it describes none.
---@param name string
---@return hclexpr.Language language
function language.read(name)
  local made = types.run_file(name, "return language { … }")
  if not description.of(made) then
    shell.fail(name .. ': it describes no language: end it with return language { … }, where language is require "hclexpr.language"')
  end
  return made --[[@as hclexpr.Language]]
end

--- Checks files that are read as one body, in the same way as a node, and reports mistakes. Returns true if it finds no mistake.
---@param lang hclexpr.Language
---@param names string[]
---@param given hclexpr.cli.Given
---@return boolean
function language.are_sound(lang, names, given)
  local list, findings = {}, Findings.new()
  for i, name in ipairs(names) do
    list[i] = { path = shell.display_name(name), text = shell.read(name), syntax = files.syntax_of(name) }
  end
  local its = description.of(lang) ---@cast its -?
  local sound, err = configuration.check(its, list, { limits = given.limits }):validate()
  for _, source in ipairs(list) do null_comparisons.check(source.body, findings) end
  if err then findings:add(err) end
  local found = findings:diagnostics()
  if found then given.sink(found) end
  return sound == true
end

--- Opens the files that a path means: one configuration for each unit of files that belong together. Ends the command if a file can't be
--- read. The program isn't here, so its names and functions are unknown values.
---@param lang hclexpr.Language
---@param name string a file, a folder or "-"
---@param options { limits?: hclexpr.Limits, variables?: table, scope?: hclexpr.Scope }
---@return hclexpr.languages.Configuration[]
function language.open(lang, name, options)
  local its, opened = description.of(lang), {} ---@cast its -?
  if name == "-" then
    local parse = shell.parse_options(name, {})
    return { configuration.check(its, { { path = parse.filename, text = shell.read "-", syntax = parse.syntax } }, options) }
  end
  local folder = core.list_folder(nil, name)
  if not folder then shell.read(name) end -- ends if it can't be read
  if folder and its.unit == "file" then
    local found = {}
    for _, file in ipairs(folder) do found[#found + 1] = description.suits(its, file) and (name:gsub("/*$", "/") .. file) or nil end
    table.sort(found)
    for i, path in ipairs(found) do opened[i] = configuration.check(its, { sources.found(path) }, options) end
  end
  if not opened[1] then opened[1] = configuration.check(its, (sources.of(its, name)), options) end
  return opened
end

-- Converts a value to data for JSON: a reference becomes the address of its block, a kept expression becomes its text.
local function data_of(x)
  local class = getmetatable(x)
  if class == core.classes.Attribute then return "${" .. x.expression:source() .. "}" end
  if type(x) ~= "table" then return x end
  local address = configuration.address_of(x)
  if address then return address end
  local made = setmetatable({}, class)
  for key, part in pairs(x) do made[key] = data_of(part) end
  return made
end

local function data_of_body(body)
  local made = {}
  for name, part in pairs(body) do made[name] = data_of(part) end
  return made
end

-- Converts the bodies of a kind, which are below `levels` levels of tables, one for each label.
local function data_of_bodies(x, levels)
  if levels == 0 then return data_of_body(x) end
  local made = setmetatable({}, getmetatable(x))
  for key, part in pairs(x) do made[key] = data_of_bodies(part, levels - 1) end
  return made
end

--- Returns the names of a configuration's arguments whose values only the program knows.
---@param conf hclexpr.languages.Configuration
---@return string[]
function language.unknown_arguments(conf)
  local found = {}
  for _, node in ipairs(conf.nodes) do
    local is_unknown = false
    for _, instance in ipairs(node.argument and node.record.instances or {}) do
      local value = instance.self[node.argument.name]
      is_unknown = is_unknown or getmetatable(value) == core.classes.Value and not value:is_wholly_known()
    end
    if is_unknown then found[#found + 1] = evaluation.name(node) end
  end
  table.sort(found)
  return found
end

--- Converts all values of a configuration to data without cycles.
---@param conf hclexpr.languages.Configuration
---@param values table
---@return table
function language.data(conf, values)
  local made = {}
  for name, part in pairs(values) do
    local kind = conf.description.level.kinds[name]
    local levels = kind and (kind.nesting == "single" and 0 or kind.nesting == "map" and #kind.labels or 1)
    made[name] = levels and data_of_bodies(part, levels) or data_of(part)
  end
  return made
end

return language
