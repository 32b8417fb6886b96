-- Finds the provider configuration that a module uses: that of its folder, or the one that its call passes, or the one without an alias in
-- the modules above. The search uses the provider's source, because modules may give a provider different names.
local naming = require "hclexpr.terraform.language.naming"

local providers = {}

--- Returns the source of the provider that a local name means in a folder.
---@param folder hclexpr.module.Folder
---@param name string
---@return string
function providers.source(folder, name)
  return naming.source(folder.required_providers, name)
end

--- Returns the configuration of a provider that a folder itself declares, or nil.
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

--- Finds the module with the provider configuration that a reference means, and the configuration's source and alias there. Returns nil
--- instead of the module if a call doesn't pass a configuration with this alias.
---@param config hclexpr.module.Config
---@param reference { name: string, alias?: string }
---@return hclexpr.module.Config? home perhaps the root without such a configuration
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
