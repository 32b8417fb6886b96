-- Answers for providers with imported schemas. These may be incomplete (read/imported_schemas.lua).
local functions = require("hclexpr.lazy") "hclexpr.terraform.providers.functions"
local modes = require "hclexpr.terraform.language.modes"
local Provider = require "hclexpr.terraform.providers.provider"
local Schema = require "hclexpr.terraform.providers.schema"

---@class hclexpr.provider.Imported: hclexpr.provider.Schema
---@field rows hclexpr.module.ImportedRows finds the rows of the module's declarations
local Imported = Provider.kind(Schema)
Imported.origin = "imported"

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

-- Doesn't return a row for the types of a state, because its values may be of any version.
function Imported.row_of_type() return nil end

function Imported:types(declaration)
  return self.rows:types(self.document, declaration, part_of(declaration))
end

function Imported:functions(has)
  local found = Schema.functions(self, has)
  if self.document.imported.partial then found["*"] = functions.any end
  return found
end

return Imported
