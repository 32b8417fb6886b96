-- hclexpr check: what is wrong in configuration files, or in a Terraform folder.
local Findings = require "hclexpr.findings"
local calls = require "hclexpr.calls"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local recursive = require "hclexpr.cli.recursive"
local shell = require "hclexpr.cli.shell"
local types = require "hclexpr.cli.types"

local check = {
  arguments = "[-recursive] [--types FILE] FILES|DIR",
  summary = "report what is wrong in configuration files",
  help = [[
Reads each file (JSON if its name ends in .json) and reports what is wrong in it on standard error: its syntax, functions that there are
not, and wrong numbers of arguments. Exit status 1 if anything is, or a file can't be read. Nothing is evaluated; so templates in strings
of JSON, which only evaluation reads, are not checked. A Terraform folder is checked as a whole: see hclexpr validate --help.

With --types all expressions are checked, too: names, attributes, arguments, types, in every branch. A folder is then read as one file.

]] .. recursive.help .. types.help .. inputs.limit_help,
}

local function report(findings)
  local found = findings:diagnostics()
  if found then shell.report(found) end
  return found == nil
end

-- The Body of a file; or nil and what could be read of it. nil alone: nothing could.
local function parse(name, limits, findings, found)
  local text, why = shell.try_read(name, found)
  if not text then
    shell.warn(why)
    return nil
  end
  local body, err, readable = hcl.parse(text, shell.parse_options(name, limits))
  if err then findings:add(err) end
  return body, readable
end

-- given: { limits, types, scope }
local function check_body(body, given, findings)
  if not given.types then return calls.check(body, hcl.functions(), findings) end
  local _, err = body:check(nil, given.types, given.scope)
  if err then findings:add(err) end
end

--- Reports what is wrong in a file; true if nothing is.
---@param name string
---@param given table what check.given gives
---@param found? boolean in a folder
---@return boolean
function check.is_sound(name, given, found)
  local findings = Findings.new()
  local body, readable = parse(name, given.limits, findings, found)
  if not body and not readable and findings:count() == 0 then return false end
  if body then check_body(body, given, findings)
  elseif readable then calls.check(readable, hcl.functions(), findings) end
  return report(findings)
end

--- The same of several files, read as one; regular ones.
---@param names string[]
---@param given table
---@return boolean
function check.are_sound(names, given)
  local findings, bodies, sound = Findings.new(), {}, true
  for _, name in ipairs(names) do
    local body = parse(name, given.limits, findings, true)
    sound = sound and body ~= nil
    bodies[#bodies + 1] = body
  end
  if sound then
    local body, err = hcl.merge(bodies, { limits = given.limits })
    if body then check_body(body, given, findings) else findings:add(err) end
  end
  return report(findings) and sound
end

--- What files are checked with: limits, and the types and functions of a file of types if there is one.
---@param limits hclexpr.Limits
---@param types_file? string
function check.given(limits, types_file)
  if not types_file then return { limits = limits } end
  local known, functions = types.read(types_file, limits)
  return { limits = limits, types = known, scope = hcl.scope { limits = limits, functions = functions } }
end

function check.run(args)
  local limits, mode = {}, {}
  local names = shell.arguments(args, {
    limit = inputs.limit_option(limits), recursive = shell.flag(mode, "recursive"), types = shell.text(mode, "types"),
  })
  local given = check.given(limits, mode.types)
  return recursive.all(names, "files", mode.recursive, function(name, found) return check.is_sound(name, given, found) end, function(dir)
    if given.types then return check.are_sound(recursive.files_in(dir), given) end
    return require("hclexpr.cli.validate").check(dir, { settings = {}, limits = given.limits }) == shell.OK
  end)
end

return check
