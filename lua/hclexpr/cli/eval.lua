-- hclexpr eval: the value of an expression, as `terraform console` shows it.
local hcl = require "hclexpr"
local shell = require "hclexpr.cli.shell"

local eval = {
  arguments = "EXPRESSION",
  summary = "print the value of an expression",
  help = [[
Prints the value as a console does. An EXPRESSION of - is read from standard input.

]] .. shell.variable_help,
}

function eval.run(args)
  local options, variables = shell.variable_options()
  local source = shell.one(shell.arguments(args, options), "expression")
  local filename
  if source == "-" then source, filename = shell.read "-", shell.display_name "-" end
  local expression = shell.must(hcl.compile(source, { filename = filename }))
  shell.write(tostring(shell.must(expression:value(variables, hcl.scope { console = true }))), "\n")
end

return eval
