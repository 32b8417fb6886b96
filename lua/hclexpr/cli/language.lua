-- The option -language: a file of Lua that returns the description of a language. It is run because the person names it; one that lies in
-- an opened folder never is.
local Findings = require "hclexpr.findings"
local null_comparisons = require "hclexpr.cli.null_comparisons"
local configuration = require "hclexpr.languages.configuration"
local description = require "hclexpr.languages.description"
local files = require "hclexpr.files"
local shell = require "hclexpr.cli.shell"
local types = require "hclexpr.cli.types"

local language = {}

--- Reads such a file; ends if it describes none.
---@param name string
---@return hclexpr.Language language
function language.read(name)
  local made = types.run_file(name, "return language { … }")
  if not description.of(made) then
    shell.fail(name .. ': it describes no language: end it with return language { … }, where language is require "hclexpr.language"')
  end
  return made --[[@as hclexpr.Language]]
end

--- Reports what is wrong in files that are read as one, as a node takes them over; true if nothing is.
---@param lang hclexpr.Language
---@param names string[]
---@param given hclexpr.cli.Given
---@return boolean
function language.are_sound(lang, names, given)
  local sources, findings = {}, Findings.new()
  for i, name in ipairs(names) do
    sources[i] = { path = shell.display_name(name), text = shell.read(name), syntax = files.syntax_of(name) }
  end
  local its = description.of(lang) ---@cast its -?
  local sound, err = configuration.check(its, sources, { limits = given.limits }):validate()
  for _, source in ipairs(sources) do null_comparisons.check(source.body, findings) end
  if err then findings:add(err) end
  local found = findings:diagnostics()
  if found then given.sink(found) end
  return sound == true
end

return language
