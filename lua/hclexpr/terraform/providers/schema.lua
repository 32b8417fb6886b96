-- Providers whose schemas a file has, as `terraform providers schema -json` prints them.
local modes = require "hclexpr.terraform.language.modes"
local Provider = require "hclexpr.terraform.providers.provider"

---@class hclexpr.provider.Schema: hclexpr.Provider
---@field document table of the provider
local Schema = Provider.kind()

---@param source string
---@param document table
---@return hclexpr.provider.Schema
function Schema.new(source, document)
  return setmetatable({ source = source, document = document }, Schema)
end

function Schema:row(declaration)
  if declaration.kind == "provider" then return self.document.provider, true end
  local mode = modes[declaration.mode]
  local rows = mode and self.document[mode.schemas]
  return rows and rows[declaration.type] or nil, true
end

return Schema
