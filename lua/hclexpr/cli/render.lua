-- hclexpr render: a template file with its values put in.
local hcl = require "hclexpr"
local shell = require "hclexpr.cli.shell"

local render = {
  arguments = "FILE",
  summary = "print a template file, rendered",
  help = [[
Prints the text of a template in which ${...} and %{...} are worked out.

]] .. shell.variable_help,
}

function render.run(args)
  local options, variables = shell.variable_options()
  local name = shell.one(shell.arguments(args, options), "file")
  local template = shell.must(hcl.compile(shell.read(name), { filename = shell.display_name(name), syntax = "template" }))
  local value = shell.must(template:value(variables))
  if not value:is_known() then shell.fail "the template's text is not known: it depends on unknown values" end
  if #value:marks() > 0 then shell.fail "the template's text is sensitive: use nonsensitive() where it may be shown" end
  shell.write(shell.must(hcl.value(value, "string")):text())
end

return render
