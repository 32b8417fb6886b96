-- Finds the schemas of providers and their resources. They come from the built-in provider, from the option `schemas` (the document that
-- `terraform providers schema -json` prints), and from facts about small providers (bundled_schemas.lua).
local builtin_schemas = require "hclexpr.terraform.schema.builtin"
local dependencies = require "hclexpr.terraform.read.dependencies"
local import_folder = require("hclexpr.lazy") "hclexpr.terraform.schema.import_folder"
local imported_schemas = require("hclexpr.lazy") "hclexpr.terraform.read.imported_schemas"
local lazy = require "hclexpr.lazy"
local prepared_schemas = lazy "hclexpr.terraform.schema.prepared_schemas"
local bundled_schemas = lazy "hclexpr.terraform.read.bundled_schemas"
local wellformed = lazy "hclexpr.terraform.schema.wellformed"
local naming = require "hclexpr.terraform.language.naming"

local schemas = {}

--- Accepts a document of schemas; returns nil and the mistake if its form is wrong.
---@param document table
---@return string?
function schemas.accept(document)
  if type(document.provider_schemas) == "table" then return document end
  return nil, "It isn't what `terraform providers schema -json` prints: it has no provider_schemas."
end

-- Returns the names of the providers in a document, those with the usual host first, and the document's rows by name.
local function names_in(document)
  local all, names = document and document.provider_schemas, {}
  if type(all) ~= "table" then all = {} end
  for name, provider in pairs(all) do
    if type(name) == "string" and name:find "[^/]+/[^/]+$" and type(provider) == "table" then names[#names + 1] = name end
  end
  local function is_usual(name) return not naming.with_other_host(name):find "/.*/" end
  table.sort(names, function(a, b)
    if is_usual(a) ~= is_usual(b) then return is_usual(a) end
    return a < b
  end)
  return names, all
end

--- Returns the prepared providers of a document, by source. If the document lacks a provider with the source's host, the first one with the
--- same name counts.
---@param document? table
---@param builtin_part any the prepared built-in provider
---@param make fun(provider: table, source: string): any
---@param other? fun(source: string): any makes a provider that the document lacks
---@return table<string, any>
function schemas.by_source(document, builtin_part, make, other)
  local lacks = {}
  local found = setmetatable({ [naming.BUILTIN] = builtin_part }, { __index = function(found, source)
    local of_name = rawget(found, naming.without_host(source))
    if of_name ~= nil or not other or lacks[source] then return of_name end
    found[source] = other(source)
    lacks[source] = true
    return rawget(found, source)
  end })
  local names, all = names_in(document)
  for _, name in ipairs(names) do
    local source, short = naming.with_other_host(name), naming.without_host(name)
    if rawget(found, source) == nil then found[source] = make(all[name], source) end
    if rawget(found, short) == nil then found[short] = found[source] end
  end
  return found
end

-- Prepares a provider of a document and marks everything that facts call sensitive.
local function with_facts(raw, source)
  return wellformed.provider(raw, function(row, name, part) bundled_schemas.complete(row, source, part, name, false) end)
end

--- Returns the schemas of providers, by source.
---@param given? table
---@param imported? true|string use imported schemas for providers that the document lacks; a string names their folder
---@return table<string, table>
function schemas.index(given, imported)
  return schemas.by_source(given, builtin_schemas.provider, with_facts, imported and function(source)
    return import_folder.has(imported, source) and imported_schemas.provider(imported, source) or nil
  end)
end

--- Returns the source of the provider of a resource, action or provider configuration.
---@param declaration hclexpr.module.Declaration
---@return string
function schemas.source_of(declaration)
  local name = declaration.kind == "provider" and declaration.name:match "^[^.]*" or naming.provider(declaration)
  return naming.source(declaration.folder.required_providers, name)
end

-- Copies a part of the built-in provider's schema without the fields that only planning reads.
local function plain(x)
  if type(x) ~= "table" then return x end
  local made = {}
  for key, value in pairs(x) do
    if key ~= "unchecked" and key ~= "copies" then made[key] = plain(value) end
  end
  if made.block then made.version = 0 end
  return made
end

--- Returns the schemas of a folder's providers in the form of `terraform providers schema -json`. Facts about small providers are left out,
--- because a program that reads them back would reject names that they lack.
---@param module hclexpr.Module
---@return table
function schemas.document(module)
  local made, taken = {}, {}
  for _, config in ipairs(dependencies.modules(module.root)) do
    local folder = config.folder
    for _, source in pairs(folder.required_providers) do taken[naming.without_host(source)] = true end
    for _, list in ipairs { folder.resources, folder.actions, folder.providers } do
      for _, declaration in pairs(list) do taken[naming.without_host(schemas.source_of(declaration))] = true end
    end
  end
  local names, all = names_in(module.documents.schemas)
  for _, name in ipairs(names) do
    if taken[naming.without_host(name)] then made[name] = all[name] end
  end
  if taken[naming.BUILTIN] then made[naming.with_host(naming.BUILTIN)] = plain(builtin_schemas.provider) end
  return { format_version = "1.0", provider_schemas = made }
end

--- Sets evaluation.deprecations if any of these declarations, or anything in them, is deprecated. Values are then searched for marks of
--- deprecation.
---@param module hclexpr.Module
---@param declarations table<string, hclexpr.module.Declaration> resources, actions, or outputs of called modules
function schemas.watch(module, declarations)
  for _, declaration in pairs(declarations) do
    if module.evaluation.deprecations then return end
    local schema = (declaration.kind == "resource" or declaration.kind == "action") and module.evaluation.schema_of(declaration)
    module.evaluation.deprecations = declaration.kind == "output" and declaration.deprecated ~= nil
      or schema and (schema.deprecated or prepared_schemas.of(schema).deprecated)
  end
end

return schemas
