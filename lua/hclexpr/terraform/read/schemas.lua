-- Schemas of resources and providers: those of the built-in provider, what the option `schemas` gives: what `terraform providers schema -json`
-- prints, and facts of small providers (small_providers.lua).
local builtin = require "hclexpr.terraform.schema.builtin"
local core = require "hclexpr.core"
local dependencies = require "hclexpr.terraform.read.dependencies"
local lazy = require "hclexpr.lazy"
local prepared_schemas = lazy "hclexpr.terraform.schema.schema_blocks"
local typed_values = lazy "hclexpr.terraform.schema.typed_values"
local small_providers = lazy "hclexpr.terraform.read.small_providers"
local wellformed = lazy "hclexpr.terraform.schema.wellformed"
local modes = require "hclexpr.terraform.language.modes"
local naming = require "hclexpr.terraform.language.naming"

local schemas = {}

--- What is wrong with the shape of a document; nil: nothing.
---@param document table
---@return string?
function schemas.fault(document)
  if type(document.provider_schemas) == "table" then return nil end
  return "It isn't what `terraform providers schema -json` prints: it has no provider_schemas."
end

--- Calls found(short, provider, name) for each provider of a document. Its short name is the last two parts: a host may come before them.
---@param document? table
---@param found fun(short: string, provider: table, name: string)
function schemas.each(document, found)
  local all = document and document.provider_schemas
  for name, provider in pairs(type(all) == "table" and all or {}) do
    local short = type(name) == "string" and name:match "[^/]+/[^/]+$"
    if short and type(provider) == "table" then found(short, provider, name) end
  end
end

--- The schemas of providers by their short names.
---@param given? table
---@return table<string, table>
function schemas.index(given)
  local found = { [naming.BUILTIN] = builtin.provider }
  schemas.each(given, function(short, provider) found[short] = found[short] or wellformed.provider(provider) end)
  return found
end

--- The source of the provider that a resource, action or configuration is of.
---@param declaration hclexpr.module.Declaration
---@return string
function schemas.source_of(declaration)
  local name = declaration.kind == "provider" and declaration.name:match "^[^.]*" or naming.provider(declaration)
  return naming.without_host(naming.source(declaration.folder.required_providers, name))
end

-- A part of the built-in provider as others read it: without what only the planning reads.
local function plain(x)
  if type(x) ~= "table" then return x end
  local made = {}
  for key, value in pairs(x) do
    if key ~= "unchecked" then made[key] = plain(value) end
  end
  if made.block then made.version = 0 end
  return made
end

--- The schemas of a folder's providers, as `terraform providers schema -json` prints them. Facts of small providers aren't among them: read
--- back they would refuse what they don't know.
---@param module hclexpr.Module
---@return table
function schemas.document(module)
  local made, taken = {}, {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    local folder = config.folder
    for _, source in pairs(folder.required_providers) do taken[naming.without_host(source)] = true end
    for _, list in ipairs { folder.resources, folder.actions, folder.providers } do
      for _, declaration in pairs(list) do taken[schemas.source_of(declaration)] = true end
    end
  end
  schemas.each(module.documents.schemas, function(short, provider, name)
    if taken[short] then made[name] = provider end
  end)
  if taken[naming.BUILTIN] then made[naming.with_host(naming.BUILTIN)] = plain(builtin.provider) end
  return { format_version = "1.0", provider_schemas = made }
end

-- Functions of providers. What they give isn't known here, but what type it has; a host that knows more has them in its scope.

local function parameter(row)
  return { name = row.name or "value", type = typed_values.type(row.type), null = row.is_nullable == true }
end

local function stand_in(row)
  local params, unknown = {}, core.unknown(typed_values.type(row.return_type))
  for i, given in ipairs(row.parameters or {}) do params[i] = parameter(given) end
  return core.func { params = params, variadic = row.variadic_parameter and parameter(row.variadic_parameter) or nil, values = true,
                     impl = function() return unknown end }
end

-- Any function of a provider without a schema.
local any_function = core.func {
  params = {}, variadic = { name = "arguments", null = true, unknown = true, dynamic = true }, values = true,
  impl = function() return core.unknown("any", { untyped = true }) end,
}

--- The functions that the providers of a folder have by their schemas, by name, and whatever those without one may have; nil: none.
---@param module hclexpr.Module
---@param folder hclexpr.module.Folder
---@return table<string, hclexpr.Function>?
function schemas.functions_of(module, folder)
  local all
  for name, source in pairs(folder.required_providers) do
    local provider = module.run.provider_schemas[naming.without_host(source)]
    if not provider and source ~= naming.BUILTIN then
      all = all or {}
      all["provider::" .. name .. "::*"] = any_function
    end
    for called, row in pairs(provider and provider.functions or {}) do
      local whole = "provider::" .. name .. "::" .. called
      if not core.has_function(whole, module.options.scope) then
        all = all or {}
        all[whole] = stand_in(row)
      end
    end
  end
  return all
end

--- Gives a module functions that find schemas: `schema_of` of the declaration of a resource, action or provider's configuration, what a schema
--- file calls its "block"; `schema_row` what that is in, and whether the provider is known at all.
---@param module hclexpr.Module
function schemas.prepare(module)
  local providers = schemas.index(module.documents.schemas)
  module.run.provider_schemas = providers

  function module.run.schema_row(declaration)
    -- What a broken block lacks isn't known.
    local file = declaration.file -- a provider of a test is in none of the folder
    if module.lenient and file and file.torn then return nil, false end
    local source = schemas.source_of(declaration)
    local mode = modes[declaration.mode]
    local provider, part = providers[source], mode and mode.schemas
    if not provider then
      local row = part and small_providers.row(declaration, source, part)
      return row, row ~= nil and row ~= false
    end
    if declaration.kind == "provider" then return provider.provider, true end
    local rows = provider[part]
    return rows and rows[declaration.type] or nil, true
  end

  function module.run.schema_of(declaration)
    local row, known = module.run.schema_row(declaration)
    return row and row.block, known
  end

  local seen = {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    local folder = config.folder
    folder.schema_of = module.run.schema_of
    if not seen[folder] then
      schemas.watch(module, folder.resources)
      schemas.watch(module, folder.actions)
    end
    if config.parent and seen[folder] ~= "called" then schemas.watch(module, folder.outputs) end
    seen[folder] = config.parent and "called" or "root"
  end
end

--- Is any of these deprecated, or something in it? Then values are looked at for that.
---@param module hclexpr.Module
---@param declarations table<string, hclexpr.module.Declaration> resources, actions, or outputs of modules that are called
function schemas.watch(module, declarations)
  for _, declaration in pairs(declarations) do
    if module.run.deprecations then return end
    local schema = (declaration.kind == "resource" or declaration.kind == "action") and module.run.schema_of(declaration)
    module.run.deprecations = declaration.kind == "output" and declaration.deprecated ~= nil
      or schema and (schema.deprecated or prepared_schemas.of(schema).deprecated)
  end
end

return schemas
