-- Finds the imports of resources. A resource waits for the import blocks that name it, in its own module and in those around it.
local naming = require "hclexpr.terraform.language.naming"

local import_targets = {}

local none = {}

-- Returns the import blocks of a folder by the address of their target, without keys.
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

--- Calls visit(d, config) for each import block that names a resource. `config` has the block; it is the resource's own Config or one
--- around it.
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
