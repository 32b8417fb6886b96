-- hclexpr docs: Markdown about what configuration files may hold.
local inputs = require "hclexpr.cli.inputs"
local lazy = require "hclexpr.lazy"
local description = lazy "hclexpr.languages.description"
local document = lazy "hclexpr.languages.document"
local language = lazy "hclexpr.cli.language"
local shell = require "hclexpr.cli.shell"
local types = lazy "hclexpr.cli.types"

local docs = {
  arguments = "-language FILE|-schema FILE",
  summary = "print the documentation of a language or schema as Markdown",
  examples = { "docs -language gate.lua >gate.md", "docs -schema app.lua >app.md" },
  statuses = { [1] = "the file can't be read, or describes no language, or returns no schema" },
  help = [[
Prints a Markdown page for authors of configuration files. It describes each block: an example of its required parts, its labels, arguments,
types, defaults, rules and descriptions. Required arguments come first; otherwise the order is alphabetical.
]],
  options = {
    inputs.language,
    { "-schema FILE", "a Lua file that returns a schema, as for hcl.load" },
    { "-title TEXT", "the heading of the page; default: the name of the language or file" },
  },
}

function docs.run(args)
  local given, rest = shell.arguments(args, docs)
  if rest[1] then shell.bad_usage("expected no arguments, got " .. #rest .. "; a file goes after -language or -schema") end
  if given.schema and given.language then shell.bad_usage "-language and -schema exclude each other" end
  if given.language then return shell.product(document.of_language(description.of(language.read(given.language)), given.title)) end
  if not given.schema then shell.bad_usage "-language FILE or -schema FILE is missing" end
  local title = given.title or given.schema:match("[^/]*$"):gsub("%.lua$", "")
  shell.product(document.of_schema(types.read_schema(given.schema), title))
end

return docs
