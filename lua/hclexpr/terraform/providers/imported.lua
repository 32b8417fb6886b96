-- Providers whose schemas a person imported. What these can't know is left open (read/imported_schemas.lua).
local modes = require "hclexpr.terraform.language.modes"
local Provider = require "hclexpr.terraform.providers.provider"

---@class hclexpr.provider.Imported: hclexpr.Provider
---@field document table of the provider
---@field rows hclexpr.module.ImportedRows of the module
local Imported = Provider.kind()

---@param source string
---@param document table
---@param rows hclexpr.module.ImportedRows
---@return hclexpr.provider.Imported
function Imported.new(source, document, rows)
  return setmetatable({ source = source, document = document, rows = rows }, Imported)
end

local function part_of(declaration)
  local mode = modes[declaration.mode]
  return mode and mode.schemas
end

function Imported:row(declaration)
  local row = self.rows:row(self.document, declaration, self.source, part_of(declaration))
  return row, row ~= nil
end

function Imported:types(declaration)
  return self.rows:types(self.document, declaration, part_of(declaration))
end

return Imported
