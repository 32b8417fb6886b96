-- Schemas of resources and providers: those of the built-in provider.
local builtin = require "hclexpr.module.builtin"

local schemas = {}

local parts = { managed = "resource_schemas", data = "data_source_schemas", ephemeral = "ephemeral_resource_schemas" }

--- A function that gives the schema of a resource's declaration: what a schema file calls its "block"; nil: there is none.
---@param _ hclexpr.Module
---@return fun(declaration: hclexpr.module.Declaration): table?
function schemas.finder(_)
  return function(declaration)
    local rows = builtin.provider[parts[declaration.mode]]
    local row = rows and rows[declaration.type]
    return row and row.block
  end
end

--- The same for the declaration of a provider's configuration.
---@param _ hclexpr.Module
---@return fun(declaration: hclexpr.module.Declaration): table?
function schemas.provider_finder(_)
  return function(declaration)
    return declaration.name == "terraform" and builtin.provider.provider.block or nil
  end
end

return schemas
