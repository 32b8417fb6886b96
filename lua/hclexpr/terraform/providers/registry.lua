-- Finds the provider and the schema of each declaration in a module, once.
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local lazy = require "hclexpr.lazy"
local Builtin = lazy "hclexpr.terraform.providers.builtin"
local Bundled = lazy "hclexpr.terraform.providers.bundled"
local Callback = lazy "hclexpr.terraform.providers.callback"
local Imported = lazy "hclexpr.terraform.providers.imported"
local imported_schemas = lazy "hclexpr.terraform.read.imported_schemas"
local naming = require "hclexpr.terraform.language.naming"
local Provider = lazy "hclexpr.terraform.providers.provider"
local Schema = lazy "hclexpr.terraform.providers.schema"
local module_schemas = require "hclexpr.terraform.read.schemas"
local bundled_schemas = lazy "hclexpr.terraform.read.bundled_schemas"

local registry = {}

local function with_callback(module, provider)
  local ask = module.options.resource
  return ask and Callback.new(provider, ask) or provider
end

-- Returns a function that finds the provider of a source in a module.
local function finder(module)
  local documents, found, rows = module_schemas.index(module.documents.schemas, module.imported), {}, nil
  local function make(source)
    local document = documents[source]
    if source == naming.BUILTIN then return Builtin.new() end
    if document and document.imported then
      rows = rows or imported_schemas.rows(module)
      return Imported.new(source, document, rows)
    end
    if document then return Schema.new(source, document) end
    return bundled_schemas.knows(source) and Bundled.new(source) or Provider.new(source)
  end
  return function(source)
    local provider = found[source]
    if not provider then
      provider = with_callback(module, make(source))
      found[source] = provider
    end
    return provider
  end
end

--- Gives a module functions that find providers: `provider_at` by a source, and `provider_of` by the declaration of a resource, action or
--- provider configuration. For a declaration, `schema_row` returns the row in a file of schemas, and whether the provider is known;
--- `schema_of` returns the row's "block"; `types_of` returns unknown values of its attributes if it has no row but their types are known.
---@param module hclexpr.Module
function registry.prepare(module)
  local evaluation = module.evaluation
  local of_source, of_declaration = finder(module), setmetatable({}, { __mode = "k" })
  local unknown
  evaluation.provider_at = of_source

  function evaluation.provider_of(declaration)
    -- A block in a file that can't be parsed may lack arguments, so its provider is unknown.
    local file = declaration.file -- a provider in a test isn't in a file of the folder
    if module.lenient and file and file.torn then
      unknown = unknown or with_callback(module, Provider.new "")
      return unknown
    end
    local provider = of_declaration[declaration]
    if not provider then
      provider = of_source(module_schemas.source_of(declaration))
      of_declaration[declaration] = provider
    end
    return provider
  end
  local provider_of = evaluation.provider_of

  function evaluation.schema_row(declaration)
    return provider_of(declaration):row(declaration)
  end

  function evaluation.schema_of(declaration)
    local row, known = provider_of(declaration):row(declaration)
    return row and row.block, known
  end

  function evaluation.types_of(declaration)
    return provider_of(declaration):types(declaration)
  end

  local seen = {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    local folder = config.folder
    folder.schema_of = evaluation.schema_of
    if not seen[folder] then
      module_schemas.watch(module, folder.resources)
      module_schemas.watch(module, folder.actions)
    end
    if config.parent and seen[folder] ~= "called" then module_schemas.watch(module, folder.outputs) end
    seen[folder] = config.parent and "called" or "root"
  end
end

--- Returns the functions that a folder's sources may call, from the providers that it requires, by name; or nil.
---@param module hclexpr.Module
---@param folder hclexpr.module.Folder
---@return table<string, hclexpr.Function>?
function registry.functions_of(module, folder)
  local all = {}
  for name, source in pairs(folder.required_providers) do
    local prefix = "provider::" .. name .. "::"
    local function has(called) return core.has_function(prefix .. called, module.options.scope) end
    for called, fn in pairs(module.evaluation.provider_at(source):functions(has)) do all[prefix .. called] = fn end
  end
  return next(all) and all
end

return registry
