-- What a module declares, listed.
local listing = {}

local function prefixed(config, address)
  return config.address == "" and address or config.address .. "." .. address
end

local function add_declarations(all, config)
  for _, d in ipairs(config.folder.order) do
    all[#all + 1] = {
      address = prefixed(config, d.address), kind = d.kind == "call" and "module" or d.kind, module = config.address, path = config.path,
      range = d.range, name_range = d.name_range, type = d.type or d.value_type and tostring(d.value_type) or nil,
    }
  end
end

--- Everything that is declared, module by module.
---@return { address: string, kind: string, module: string, path: string, range: hclexpr.Range, name_range: hclexpr.Range, type?: string }[]
function listing:addresses()
  local all, queue = {}, { self.root }
  while #queue > 0 do
    local config = table.remove(queue)
    add_declarations(all, config)
    local order = config.folder.order
    for i = #order, 1, -1 do
      local child = order[i].kind == "call" and config.children[order[i].name]
      if child then queue[#queue + 1] = child end
    end
  end
  return all
end

return listing
