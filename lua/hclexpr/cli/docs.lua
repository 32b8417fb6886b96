-- hclexpr docs: Markdown about what configuration files may hold.
local shell = require "hclexpr.cli.shell"
local types = require "hclexpr.cli.types"

local docs = {
  arguments = "-schema FILE",
  summary = "print the documentation of a schema as Markdown",
  examples = { "docs -schema app.lua >app.md" },
  statuses = { [1] = "the file can't be read, or returns no schema" },
  help = [[
Prints Markdown about what configuration files may hold: each block with an example of what it requires, its labels, arguments, types,
defaults, rules and descriptions. Required arguments come first, then all by alphabet.
]],
  options = {
    { "-schema FILE", "a file of Lua, which is run, and returns a schema, as hcl.load takes it" },
    { "-title TEXT", "the heading of the page; default: the name of the file" },
  },
}

function docs.run(args)
  local given, rest = shell.arguments(args, docs)
  if rest[1] then shell.bad_usage("expected no arguments, got " .. #rest .. "; a file goes behind -schema") end
  if not given.schema then shell.bad_usage "-schema FILE is missing" end
  local title = given.title or given.schema:match("[^/]*$"):gsub("%.lua$", "")
  shell.product(require("hclexpr.languages.document").of_schema(types.read_schema(given.schema), title))
end

return docs
