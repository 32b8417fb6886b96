-- Finds the provider configuration that a module uses: its folder's own, or the one that its call passes, or the one without an alias in
-- the modules above. It is found by the provider's source, because modules may give one provider different names.
local naming = require "hclexpr.terraform.language.naming"

local providers = {}

--- The source of the provider that a local name means in a folder.
---@param folder hclexpr.module.Folder
---@param name string
---@return string
function providers.source(folder, name)
  return naming.source(folder.required_providers, name)
end

--- The configuration of a provider that a folder itself declares; nil: none.
---@param folder hclexpr.module.Folder
---@param source string
---@param alias? string
---@return hclexpr.module.Declaration?
function providers.own(folder, source, alias)
  for _, declaration in pairs(folder.providers) do
    if declaration.alias == alias and providers.source(folder, declaration.name) == source then return declaration end
  end
end

local function passed(config, source, alias)
  for _, pair in ipairs(config.call.providers or {}) do
    if pair.child.alias == alias and providers.source(config.folder, pair.child.name) == source then return pair.parent end
  end
end

--- Finds the module with the configuration that a reference in a module means, and the configuration's source and alias there. nil: no call
--- passes it.
---@param config hclexpr.module.Config
---@param reference { name: string, alias?: string }
---@return hclexpr.module.Config? home the root, even if it has no such configuration
---@return string source
---@return string? alias
function providers.home(config, reference)
  local source, alias = providers.source(config.folder, reference.name), reference.alias
  while config.parent and not providers.own(config.folder, source, alias) do
    local given = passed(config, source, alias)
    if given then source, alias = providers.source(config.parent.folder, given.name), given.alias
    elseif alias then return nil, source, alias end
    config = config.parent
  end
  return config, source, alias
end

return providers
