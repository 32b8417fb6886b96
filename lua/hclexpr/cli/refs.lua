-- hclexpr refs: the named values that a file depends on.
local hcl = require "hclexpr"
local inputs = require "hclexpr.cli.inputs"
local shell = require "hclexpr.cli.shell"

local refs = {
  arguments = "FILE",
  summary = "list the named values that a file depends on",
  examples = { "refs main.tf", "refs policy.hcl | sort -u" },
  statuses = { [1] = "the file can't be read or parsed" },
  help = [[
Prints a line FILE:LINE:COLUMN: NAME for each place where a named value is used. FILE holds a configuration (JSON if its name ends in
.json) or a single expression.
]],
  options = { inputs.limit },
}

function refs.run(args)
  local given, rest = shell.arguments(args, refs)
  local name = shell.one(rest, "file", "- is standard input")
  local text, options = shell.read(name), shell.parse_options(name, given.limits)
  local body, err = hcl.parse(text, options)
  options.syntax = "native"
  local found = body or shell.must((hcl.compile(text, options)), err)
  for _, ref in ipairs(found:references()) do
    shell.write(string.format("%s:%d:%d: %s\n", options.filename, ref.range.start.line, ref.range.start.column, ref.path))
  end
end

return refs
