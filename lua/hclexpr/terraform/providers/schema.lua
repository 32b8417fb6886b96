-- Answers for providers whose schemas are in a file, in the form that `terraform providers schema -json` prints.
local functions = require("hclexpr.lazy") "hclexpr.terraform.providers.functions"
local modes = require "hclexpr.terraform.language.modes"
local Provider = require "hclexpr.terraform.providers.provider"

---@class hclexpr.provider.Schema: hclexpr.Provider
---@field document table the provider's part of the file
local Schema = Provider.kind()
Schema.origin = "file"

---@param source string
---@param document table
---@return hclexpr.provider.Schema
function Schema.new(source, document)
  return setmetatable({ source = source, document = document }, Schema)
end

function Schema:row_of_type(mode, type)
  local rows = modes[mode] and self.document[modes[mode].schemas]
  return rows and rows[type] or nil
end

function Schema:row(declaration)
  if declaration.kind == "provider" then return self.document.provider, true end
  return self:row_of_type(declaration.mode, declaration.type), true
end

function Schema:functions(has)
  local found = {}
  for name, row in pairs(self.document.functions or {}) do
    if not has(name) then found[name] = functions.stand_in(row) end
  end
  return found
end

return Schema
