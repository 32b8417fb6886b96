-- hclexpr schemas: which providers of a Terraform folder have schemas, how to get those of the others, and what was imported.
local core = require "hclexpr.core"
local folders = require "hclexpr.cli.folders"
local lazy = require "hclexpr.lazy"
local import_folder = require "hclexpr.terraform.schema.import_folder"
local imported = require "hclexpr.terraform.schema.imported"
local importing = lazy "hclexpr.terraform.schema.importing"
local jsontext = require "hclexpr.json.text"
local missing = require "hclexpr.terraform.tree.missing"
local packages = require "hclexpr.terraform.schema.packages"
local module_schemas = require "hclexpr.terraform.read.schemas"
local shell = require "hclexpr.cli.shell"

local schemas = {
  arguments = "[DIR]",
  summary = "list the schemas of the providers of a Terraform folder, or import schemas",
  examples = { "schemas infra", "schemas -import cdktn_provider_aws-*.whl" },
  statuses = { [1] = "the folder can't be read, its configuration is wrong, or a file can't be imported" },
  help = [[
Lists the providers whose resources the configuration in DIR (default: the current folder) and its modules use, and where the schema of each
comes from: "file", the option -schemas or .hclexpr/schemas.json in DIR or a folder above it; "imported", with its version; "bundled",
hclexpr's own description of a small provider; or "none". Without a schema, the arguments of a resource are taken as written, and its other
attributes are unknown. At the end, the command says how to get the missing schemas.

-import FILE... reads a package of CDK Terrain's bindings (a wheel or a .tgz), or the output of `terraform providers schema -json`, and
keeps a file for each provider. These files are in the folder that the environment variable HCLEXPR_SCHEMAS names, otherwise in
hclexpr/schemas of $XDG_DATA_HOME (default: ~/.local/share). From then on, commands and editors use these files. No code of a package is
run. Bindings don't say which attributes are sensitive, write-only in a block, or deprecated. If the name of an attribute suggests a secret,
its value is hidden.

-json prints a small file for -schemas: the schemas from the file and of the built-in provider, for the providers that the folder uses. It
leaves out imported schemas and the bundled descriptions.
]],
  options = {
    { "-import FILE", "import the schemas in this file, and in the files that follow it", into = "import", act = table.insert },
    { "-list", "list the imported schemas" },
    { "-remove SOURCE", "remove the imported schemas of a provider, such as hashicorp/aws", into = "remove", act = table.insert },
    { "-json", "print the schemas of the folder's providers in the format of `terraform providers schema -json`, and the list as the key "
      .. "`providers`" },
    folders.options,
  },
}

-- Imported schemas

local function data_folder()
  return import_folder.find() or shell.fail "no folder for schemas is known: set HCLEXPR_SCHEMAS, XDG_DATA_HOME or HOME"
end

local function write_imported(of)
  local from = of.package and (" from %s"):format(of.package) .. (of.license and (" (%s)"):format(of.license) or "") or ""
  shell.write(of.source, of.version and " " .. of.version or "", from, "\n")
end

local collect = collectgarbage --[[@as fun(option: string, ...: number): number]]

-- The texts of a package may take hundreds of megabytes, and little of each is kept: the collector begins before the heap has grown much.
local PAUSE = 130

local function import(names)
  local folder, status = data_folder(), shell.OK
  collect("setpause", PAUSE) -- cli.lua restores it
  for _, name in ipairs(names) do
    local found, why = importing.read(name)
    for _, provider in ipairs(found or {}) do
      local path
      path, why = importing.keep(folder, provider)
      if path then write_imported(imported.provider(folder, provider.source)) else found = nil end
    end
    if not found then
      shell.warn(("%s can't be imported: %s"):format(shell.plain_name(name), why))
      status = shell.BAD_INPUT
    end
  end
  return status
end

local function remove(sources)
  local folder, status = data_folder(), shell.OK
  for _, source in ipairs(sources) do
    if not importing.remove(folder, source) then
      shell.warn(("nothing was imported of %s"):format(shell.plain_name(source)))
      status = shell.BAD_INPUT
    end
  end
  return status
end

local function list_imported()
  local all = imported.list(data_folder())
  for _, of in ipairs(all) do write_imported(of) end
  if not all[1] then shell.write "nothing was imported\n" end
  return shell.OK
end

-- Schemas of a folder

local function write_list(writer, list, document)
  writer:field("format_version", document.format_version)
  writer:key "provider_schemas"
  shell.must(jsontext.write(writer, shell.must(core.value(document.provider_schemas))))
  writer:objects("providers", function(_, row)
    writer:field("source", row.source)
    writer:field("schema", row.known)
    if row.version then writer:field("version", row.version) end
    if row.wanted then writer:field("wanted", row.wanted) end
  end, list)
end

local function write_rows(list)
  local width = 0
  for _, row in ipairs(list) do width = math.max(width, #row.source) end
  for _, row in ipairs(list) do
    local of = (row.version and " " .. row.version or "") .. (row.wanted and ", and the configuration wants " .. row.wanted or "")
    shell.write(row.source, (" "):rep(width - #row.source + 2), row.known, of, "\n")
  end
  if not list[1] then shell.write "no resources of providers\n" end
end

-- Writes how to get the missing schemas: from a package if one exists, and from Terraform.
local function write_ways(list, dir)
  local lacks, names, others = false, {}, false
  for _, row in ipairs(list) do
    local package = row.known == "none" and packages.of(row.source)
    if package then names[#names + 1] = package end
    lacks, others = lacks or row.known == "none", others or row.known == "none" and not package
  end
  if names[1] then
    local files = {}
    for i, name in ipairs(names) do files[i] = name:gsub("-", "_") .. "-*.whl" end
    shell.write_text(("\nPackages of CDK Terrain's bindings hold schemas (under the license that the import names):\n\n"
      .. "  pip download --no-deps %s\n  hclexpr schemas -import %s\n"):format(table.concat(names, " "), table.concat(files, " ")))
  end
  if not lacks then return end
  shell.write_text("\nTerraform prints " .. (names[1] and "whole ones" or "them") .. ", where it is installed and has a network:\n\n"
    .. (dir ~= "." and "  cd " .. dir .. "\n" or "")
    .. "  terraform init -backend=false\n  mkdir -p .hclexpr\n  terraform providers schema -json >.hclexpr/schemas.json\n\n"
    .. "The file counts in that folder and in all below it, for commands and editors.")
end

function schemas.run(args)
  local given, rest = shell.arguments(args, schemas)
  if given.import[1] then
    for _, name in ipairs(rest) do table.insert(given.import, name) end
    return import(given.import)
  end
  if given.remove[1] then return remove(given.remove) end
  if given.list then return list_imported() end
  local dir = folders.one(rest)
  given.stateless = true
  local module, err = folders.open(dir, given, not given.json and folders.of_names or nil)
  folders.report(err)
  if not module then return shell.BAD_INPUT end
  module:missing() -- schemas are read when they are first needed
  local list = missing.providers(module)
  if given.json then
    shell.product_object("  ", function(writer) write_list(writer, list, module_schemas.document(module)) end)
  else
    write_rows(list)
    write_ways(list, dir)
  end
  return err and shell.BAD_INPUT or shell.OK
end

return schemas
