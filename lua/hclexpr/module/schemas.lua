-- Schemas of resources and providers: those of the built-in provider, and what the option `schemas` gives: what `terraform providers
-- schema -json` prints.
local builtin = require "hclexpr.module.builtin"
local prepared_schemas = require "hclexpr.module.prepared"
local prepared_schemas = require "hclexpr.module.prepared"
local required = require "hclexpr.module.kinds.required"

local schemas = {}

local parts = { managed = "resource_schemas", data = "data_source_schemas", ephemeral = "ephemeral_resource_schemas" }

--- The schemas of providers by the last two parts of their names: a host may stand in front.
---@param given? table
---@return table<string, table>
function schemas.index(given)
  local found = { ["builtin/terraform"] = builtin.provider }
  local all = given and given.provider_schemas
  for name, provider in pairs(type(all) == "table" and all or {}) do
    local short = type(name) == "string" and name:match "[^/]+/[^/]+$"
    if short and type(provider) == "table" then found[short] = found[short] or provider end
  end
  return found
end

-- The source of the provider that a local name means in a folder, as its last two parts.
local function source_of(folder, name)
  local source = folder.required_providers[name] or required.implied(name)
  return source:match "[^/]+/[^/]+$" or source
end

--- Gives a module functions that find schemas: `schema_of` of the declaration of a resource or of a provider's configuration, what a schema
--- file calls its "block"; `schema_row` what that stands in, and whether the provider is known at all.
---@param module hclexpr.Module
function schemas.prepare(module)
  local providers = schemas.index(module.documents.schemas)

  local function provider_of(declaration)
    local name = declaration.kind == "provider" and declaration.name:match "^[^.]*" or declaration.provider and declaration.provider.name
      or declaration.type:match "^[^_]*"
    return providers[source_of(declaration.folder, name)]
  end

  function module.schema_row(declaration)
    local provider = provider_of(declaration)
    if not provider then return nil, false end
    if declaration.kind == "provider" then return provider.provider, true end
    local rows = provider[parts[declaration.mode]]
    return rows and rows[declaration.type], true
  end

  function module.schema_of(declaration)
    local row, known = module.schema_row(declaration)
    return row and row.block, known
  end

  -- Is anything deprecated? Then values are looked at for that.
  local configs = { module.root }
  for _, config in ipairs(configs) do
    for _, declaration in pairs(config.folder.resources) do
      local schema = module.schema_of(declaration)
      if schema and (schema.deprecated or prepared_schemas.of(schema).deprecated) then module.deprecations = true end
    end
    for _, child in pairs(config.children) do configs[#configs + 1] = child end
  end
end

return schemas
