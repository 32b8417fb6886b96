-- Targets of imports: resources wait for the imports that name them, in their own module and in those around.
local naming = require "hclexpr.terraform.language.naming"

local import_targets = {}

local none = {}

-- The imports of a folder by the address of their target, without keys.
local function targets_of(folder)
  if folder.cache.imports_by then return folder.cache.imports_by end
  local found = {}
  for _, d in ipairs(folder.others) do
    local to = d.kind == "import" and d.to
    if to then
      local address = naming.within(to.module, to.type .. "." .. to.name)
      found[address] = found[address] or {}
      table.insert(found[address], d)
    end
  end
  folder.cache.imports_by = found
  return found
end

--- Calls visit(d, config) for each import of a resource, with the Config that has the import: the resource's own, or one around it.
---@param config hclexpr.module.Config
---@param declaration hclexpr.module.Declaration
---@param visit fun(d: hclexpr.module.Declaration, config: hclexpr.module.Config)
function import_targets.each(config, declaration, visit)
  local address = declaration.address
  while config do
    for _, d in ipairs(config.folder.others[1] and targets_of(config.folder)[address] or none) do visit(d, config) end
    if config.name then address = naming.within(config.call.address, address) end
    config = config.parent
  end
end

return import_targets
