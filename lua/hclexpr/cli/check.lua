-- hclexpr check: what is wrong in configuration files, or in a Terraform folder.
local Findings = require "hclexpr.findings"
local calls = require "hclexpr.calls"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local recursive = require "hclexpr.cli.recursive"
local shell = require "hclexpr.cli.shell"

local check = {
  arguments = "[-recursive] FILES|DIR",
  summary = "report what is wrong in configuration files",
  help = [[
Reads each file (JSON if its name ends in .json) and reports what is wrong in it on standard error: its syntax, functions that there are
not, and wrong numbers of arguments. Exit status 1 if anything is, or a file can't be read. Nothing is evaluated; so templates in strings
of JSON, which only evaluation reads, are not checked. A Terraform folder is checked as a whole: see hclexpr validate --help.

]] .. recursive.help .. inputs.limit_help,
}

-- The built-in functions, and those that a host is said to have.
local function known_functions(own)
  local functions = hcl.functions()
  for _, name in ipairs(own or {}) do functions[name] = { params = {}, variadic = {} } end
  return functions
end

--- Reports what is wrong in a file; true if nothing is.
---@param name string
---@param limits hclexpr.Limits
---@param functions? string[] names of functions that there are beside the built-in ones
---@return boolean
function check.is_sound(name, limits, functions)
  local text, why = shell.try_read(name)
  if not text then
    shell.warn(why)
    return false
  end
  local body, err, readable = hcl.parse(text, shell.parse_options(name, limits))
  local findings = Findings.new()
  if err then findings:add(err) end
  body = body or readable
  if body then calls.check(body, known_functions(functions), findings) end
  local found = findings:diagnostics()
  if found then shell.report(found) end
  return found == nil
end

function check.run(args)
  local limits, mode = {}, {}
  local names = shell.arguments(args, { limit = inputs.limit_option(limits), recursive = shell.flag(mode, "recursive") })
  return recursive.all(names, "files", mode.recursive, function(name) return check.is_sound(name, limits) end, function(dir)
    return require("hclexpr.cli.validate").check(dir, { settings = {}, limits = limits }) == shell.OK
  end)
end

return check
