-- Lists what a folder lacks: modules, values of variables, provider configurations, schemas, files that can't be parsed or mustn't be read.
-- With the option missing = "unknown" each of these is unknown and listed here; otherwise it is an error, as in Terraform, except for
-- schemas.
local certain = require("hclexpr.check").certain
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local folders = require "hclexpr.terraform.read.folder"
local lazy = require "hclexpr.lazy"
local imported_schemas = lazy "hclexpr.terraform.read.imported_schemas"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"
local references = require "hclexpr.terraform.read.references"
local module_schemas = lazy "hclexpr.terraform.read.schemas"
local sorted = require("hclexpr.util").sorted

local missing = {}

local any, null, unknown = certain(core.type "any"), certain(core.value(core.null)), certain(core.unknown("any", { untyped = true }))

--- Makes a folder in place of a missing one. It accepts every argument of the call, so that all are evaluated, and has any output.
---@param dir string
---@param call hclexpr.module.Declaration
---@return hclexpr.module.Folder
function missing.folder(dir, call)
  local made = folders.new(dir)
  local file = { path = call.file.path, override = false, blocks = {}, order = {} }
  made.absent, made.files[1] = true, file
  for _, body in ipairs(call.bodies) do
    for name in pairs(core.level(body).attributes) do
      if not made.variables[name] then
        local d = { kind = "variable", name = name, address = "var." .. name, folder = made, file = file, at = 0, block = call.block,
                    arguments = {}, bodies = {}, rules = {}, value_type = any, default = null, ephemeral = true }
        made.variables[name], made.declared[d.address], file.order[#file.order + 1] = d, d, d
      end
    end
  end
  table.sort(file.order, function(a, b) return a.name < b.name end)
  return made
end

--- Returns true if a root variable has neither a default nor a given value.
---@param declaration hclexpr.module.Declaration
---@param values table<string, hclexpr.module.Input>
---@return boolean
function missing.lacks_value(declaration, values)
  return declaration.default == nil and not values[declaration.name]
end

local words = { variable = "var", ["local"] = "local", call = "module", output = "module" }

--- Makes undeclared names in an object unknown, because a file that can't be parsed may declare them.
---@param folder hclexpr.module.Folder
---@param object hclexpr.Expression|hclexpr.Body
---@param names table<string, table> of an instance
---@param all table its resources
---@param home fun(all: table, declaration: { mode: string, type: string }): table
function missing.assume(folder, object, names, all, home)
  for _, ref in ipairs(references.of(object)) do
    local word, declared = words[ref.kind], references.is_declared(folder, ref)
    if word and not declared then
      names[word][ref.name] = unknown
    elseif not declared and ref.mode ~= "list" then
      local own = home(all, ref)
      own[ref.name] = unknown
      if ref.mode == "managed" and names[ref.type] == nil then names[ref.type] = own end
    end
  end
end

--- Returns a function that records paths outside of the granted folders which functions try to read. A path is recorded at the node being
--- evaluated, so that it is forgotten with the node's value; for a question, at the module.
---@param module hclexpr.Module
---@return fun(path: string, range: hclexpr.Range)
function missing.noter(module)
  return function(path, range)
    local evaluation = module.evaluation
    local at = evaluation.turn and evaluation.graph:node(evaluation.turn_in, evaluation.turn.key) or module
    local paths = evaluation.outside[at] or {}
    evaluation.outside[at] = paths
    local from_here = path:sub(1, 1) == "/" and core.relative_path(".", path) or path
    paths[#from_here < #path and from_here or path] = range
  end
end

---@class hclexpr.module.Missing
---@field kind "module"|"variable"|"provider"|"file"|"values"|"outside"|"schema"|"version"
---@field name string an address, the name of a provider configuration, a path, or the source of a provider
---@field range? hclexpr.Range
---@field source? string of a module, if it is known
---@field unread? boolean of a file: true if it can't be read, nil if it can't be parsed
---@field version? string of a provider: its imported version
---@field wanted? string of a provider: the version that the configuration requires
---@field way string how to provide it

local ways = {
  module = "`terraform init` fetches it, and the option `source` gives its folder",
  variable = "the options `variables` and `settings` give it a value",
  provider = "a caller passes it by `providers`",
  file = "what is wrong in it is in the diagnostics",
  values = "what is wrong in it is in the diagnostics",
  outside = "the option `filesystem` lets functions read a folder beside those of the modules",
  schema = "`terraform providers schema -json` prints it, for the option `schemas`",
  version = "`hclexpr schemas -import` of such a version, or the option `schemas`",
}

-- Calls found(source, declaration) for each resource and action of a folder, except those of the built-in provider.
local function each_provided(folder, found)
  for _, list in ipairs { folder.resources, folder.actions } do
    for _, key in ipairs(sorted(list)) do
      local source = module_schemas.source_of(list[key])
      if source ~= naming.BUILTIN then found(source, list[key]) end
    end
  end
end

--- Lists the missing modules of a tree.
---@param module hclexpr.Module
---@return hclexpr.module.Config[]
function missing.modules(module)
  local found = {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    if config.lacks then found[#found + 1] = config end
  end
  return found
end

--- Lists the providers of the resources and actions in a whole tree of modules, and where their schemas come from.
---@param module hclexpr.Module its evaluation must have begun
---@return { source: string, known: "file"|"imported"|"bundled"|"none", version?: string, wanted?: string }[] sorted by source
function missing.providers(module)
  local sources, list = {}, {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    each_provided(config.folder, function(source) sources[source] = true end)
  end
  for i, source in ipairs(sorted(sources)) do
    local provider = module.evaluation.provider_at(source)
    local of = provider.document and provider.document.imported
    list[i] = { source = source, version = of and of.version, wanted = of and imported_schemas.wanted(module, source, of),
                known = provider.origin }
  end
  return list
end

local function add_inputs(module, put)
  local folder = module.root.folder
  if module.torn_inputs then put("values", module.torn_inputs) end
  for _, name in ipairs(sorted(folder.variables)) do
    local d = folder.variables[name]
    if missing.lacks_value(d, module.inputs) then put("variable", d.address, places.head_of(d).range) end
  end
  for _, name in ipairs(sorted(folder.provider_aliases)) do
    local place = folder.required_at[name]
    for _, key in ipairs(sorted(folder.provider_aliases[name])) do
      if not folder.providers[key] then put("provider", key, place and place.range) end
    end
  end
end

local function add_outside(module, put)
  local all = {}
  for _, paths in pairs(module.evaluation.outside) do
    for path, range in pairs(paths) do
      if not all[path] or places.words(range) < places.words(all[path]) then all[path] = range end
    end
  end
  for _, path in ipairs(sorted(all)) do put("outside", path, all[path]) end
end

--- Lists what a module lacks, each thing once: files, modules, variables, provider configurations, files outside of the granted folders,
--- schemas.
---@param module hclexpr.Module its evaluation must have begun
---@return hclexpr.module.Missing[]
function missing.list(module)
  local lists, seen = { file = {}, module = {}, schema = {}, version = {} }, {}
  local inputs = {}
  local function put(kind, name, range, source)
    local key = kind .. " " .. name
    if seen[key] then return nil end
    seen[key] = true
    local list, row = lists[kind] or inputs, { kind = kind, name = name, range = range, source = source, way = ways[kind] }
    list[#list + 1] = row
    return row
  end
  local function put_version(source, of, d)
    local wanted = not seen["version " .. source] and imported_schemas.wanted(module, source, of)
    local row = wanted and put("version", source, d.block.head_range)
    if row then row.version, row.wanted = of.version, wanted end
    seen["version " .. source] = true
  end
  for _, config in ipairs(dependencies.modules(module.root)) do
    local folder = config.folder
    if config.lacks then
      put("module", config.address, config.call.block.head_range, type(config.lacks) == "string" and config.lacks or nil)
    end
    if not seen[folder] then
      seen[folder] = true
      for _, path in ipairs(folder.torn or {}) do
        local row = put("file", path)
        if row then row.unread = folder.unread[path] end
      end
      each_provided(folder, function(source, d)
        local document = module.evaluation.provider_at(source).document
        if document and document.imported then put_version(source, document.imported, d)
        elseif not select(2, module.evaluation.schema_row(d)) then put("schema", source, d.block.head_range) end
      end)
    end
  end
  if module.lenient then add_inputs(module, put) end
  add_outside(module, put)
  local all = {}
  for _, list in ipairs { lists.file, lists.module, inputs, lists.schema, lists.version } do
    for _, row in ipairs(list) do all[#all + 1] = row end
  end
  return all
end

return missing
