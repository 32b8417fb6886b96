-- hclexpr json: a configuration as JSON.
local bodies = require "hclexpr.body"
local inputs = require "hclexpr.cli.inputs"
local jsontext = require "hclexpr.cli.jsontext"
local shell = require "hclexpr.cli.shell"

local json = {
  arguments = "FILE",
  summary = "print a configuration file as JSON",
  help = [[
Prints what hcl.load gives: arguments by name; blocks of a type as an array of objects, each of their labels a level of objects above it;
"dynamic" blocks expanded. Numbers are exact, nulls stay. FILE is of JSON syntax if its name ends in .json.

  --compact               all on one line
]] .. inputs.help,
}

function json.run(args)
  local options, given = inputs.options()
  local o = {}
  options.compact = shell.flag(o, "compact")
  local name = shell.one(shell.arguments(args, options), "file", "- is standard input")
  local variables, scope = inputs.take(given)
  local value = shell.must(bodies.decode_value(shell.must(shell.parse(name, given.limits)), variables, scope))
  local writer = jsontext.writer { indent = not o.compact and "  " or nil }
  local ok, why = jsontext.write(writer, value)
  if not ok then shell.fail(why) end
  shell.product(writer:text(), "\n")
end

return json
