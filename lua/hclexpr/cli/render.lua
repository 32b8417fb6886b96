-- hclexpr render: a template file, rendered with values.
local core = require "hclexpr.core"
local driver = require "hclexpr.driver"
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

local render = {
  arguments = "FILE",
  summary = "print a template file, rendered",
  examples = { "render --var name=web motd.tftpl", "render --var-file prod.tfvars user_data.tftpl >user_data.sh" },
  statuses = { [1] = "the template is wrong, or its text is unknown or sensitive" },
  help = [[
Prints the text of a template: ${...} and %{...} are replaced by their values.
]],
  options = inputs.options,
}

-- Renders a template: returns its text, or a Value if the text is unknown or marked.
local render_text = driver.method(core.render)

function render.run(args)
  local given, rest = shell.arguments(args, render)
  local name = shell.one(rest, "file", "- is standard input")
  local variables, scope = inputs.take(given)
  local how = { filename = shell.display_name(name), syntax = "template", limits = given.limits }
  local template = shell.must(hcl.compile(shell.read(name), how))
  local text = shell.must(render_text(template, variables, scope))
  if type(text) == "string" then return shell.product(text) end
  if core.is_marked(text) then shell.fail "the template's text is sensitive: use nonsensitive() where it may be shown" end
  shell.fail "the template's text is not known: it depends on unknown values"
end

return render
