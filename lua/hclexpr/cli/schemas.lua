-- hclexpr schemas: which providers of a Terraform folder have schemas, and how to get those of the others.
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local jsontext = require "hclexpr.json.text"
local missing = require "hclexpr.terraform.tree.missing"
local read_schemas = require "hclexpr.terraform.read.schemas"
local shell = require "hclexpr.cli.shell"

local schemas = {
  arguments = "[DIR]",
  summary = "list the providers of a Terraform folder that lack a schema",
  examples = { "schemas infra", "schemas -json -schemas all.json >.hclexpr/schemas.json" },
  statuses = { [1] = "the folder can't be read, or its configuration is wrong" },
  help = [[
Lists the providers that the configuration in DIR (the current folder) and the modules that it calls have resources of, each with
how its schema is known: "file", of the option -schemas or .hclexpr/schemas.json in DIR or above; "bundled", the facts of small providers
that come along; or "none". Without a schema a resource has the arguments that are written; its other attributes are unknown.
Then it says how to get what is missing.

With -json the schemas are those of the file and of the built-in provider, and only of providers that the folder uses: a file for -schemas
that is as small as it can be. The facts of small providers aren't among them.
]],
  options = {
    { "-json", "print the schemas of the folder's providers as `terraform providers schema -json` does, and the list beside them" },
    folders.options,
  },
}

local function write_json(list, module)
  local writer, document = jsontext.writer { indent = "  " }, read_schemas.document(module)
  writer:open "{"
  writer:field("format_version", document.format_version)
  writer:key "provider_schemas"
  shell.must(jsontext.write(writer, shell.must(core.value(document.provider_schemas))))
  writer:objects("providers", function(_, row)
    writer:field("source", row.source)
    writer:field("schema", row.known)
  end, list)
  writer:close "}"
  shell.product(writer:text(), "\n")
end

local function write_text(list, dir)
  local width, lacks = 0, false
  for _, row in ipairs(list) do width, lacks = math.max(width, #row.source), lacks or row.known == "none" end
  for _, row in ipairs(list) do
    shell.write(row.source, (" "):rep(width - #row.source + 2), row.known, "\n")
  end
  if not list[1] then shell.write "no resources of providers\n" end
  if not lacks then return end
  shell.write_text("\nTerraform prints them, where it is installed and has a network:\n\n" .. (dir ~= "." and "  cd " .. dir .. "\n" or "")
    .. "  terraform init -backend=false\n  mkdir -p .hclexpr\n  terraform providers schema -json >.hclexpr/schemas.json\n\n"
    .. "The file counts in that folder and in all below it, for commands and editors.")
end

function schemas.run(args)
  local given, rest = shell.arguments(args, schemas)
  local dir = folders.one(rest)
  given.stateless = true
  local module, err = folders.open(dir, given, not given.json and folders.of_names or nil)
  folders.report(err)
  if not module then return shell.BAD_INPUT end
  module:missing() -- schemas are read when it is asked something
  local list = missing.providers(module)
  if given.json then write_json(list, module) else write_text(list, dir) end
  return err and shell.BAD_INPUT or shell.OK
end

return schemas
