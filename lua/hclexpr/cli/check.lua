-- hclexpr check: what is wrong in configuration files.
local recursive = require "hclexpr.cli.recursive"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

local check = {
  arguments = "[-recursive] FILES",
  summary = "report what is wrong in configuration files",
  help = [[
Reads each file (JSON if its name ends in .json) and reports what is wrong in it on standard error. Exit status 1 if anything is, or a
file can't be read. Nothing is evaluated; so templates in strings of JSON, which only evaluation reads, are not checked.

]] .. recursive.help .. inputs.limit_help,
}

-- Reports what is wrong in a file; true if nothing is.
local function is_sound(name, limits)
  local text, why = shell.try_read(name)
  if not text then
    shell.warn(why)
    return false
  end
  local body, err = hcl.parse(text, shell.parse_options(name, limits))
  if not body then shell.report(err) end
  return body ~= nil
end

function check.run(args)
  local limits, mode = {}, {}
  local names = shell.arguments(args, { limit = inputs.limit_option(limits), recursive = shell.flag(mode, "recursive") })
  return recursive.all(names, "files", mode.recursive, function(name) return is_sound(name, limits) end)
end

return check
