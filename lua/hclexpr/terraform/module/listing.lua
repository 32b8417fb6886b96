-- Lists the declarations of a module.
local heads = require "hclexpr.terraform.read.heads"
local folders = require "hclexpr.terraform.read.folder"
local naming = require "hclexpr.terraform.language.naming"
local places = require "hclexpr.places"
local dependencies = require "hclexpr.terraform.read.dependencies"

local listing = {}

local function add_declarations(all, config)
  for _, d in ipairs(folders.declarations(config.folder)) do
    all[#all + 1] = {
      address = naming.within(config.address, d.address), kind = d.kind == "call" and "module" or d.kind,
      module = config.address, dir = config.path, path = config.path, range = places.head_of(d).range, name_range = heads.name_range(d),
      type = d.type or d.value_type and tostring(d.value_type) or nil,
    }
  end
end

--- Lists all declarations, module by module: those of a module before those of the modules that it calls.
---@return { address: string, kind: string, module: string, dir: string, range: hclexpr.Range, name_range: hclexpr.Range, type?: string }[]
function listing:addresses()
  local all, queue = {}, { self.root }
  while #queue > 0 do
    local config = table.remove(queue)
    add_declarations(all, config)
    local calls = dependencies.outline(config.folder).calls
    for i = #calls, 1, -1 do queue[#queue + 1] = config.children[calls[i]] end
  end
  return all
end

return listing
