-- Answers for small providers by the facts that hclexpr includes (read/bundled_schemas.lua). A resource that the facts don't describe fully
-- counts as one without a schema.
local modes = require "hclexpr.terraform.language.modes"
local Provider = require "hclexpr.terraform.providers.provider"
local bundled_schemas = require "hclexpr.terraform.read.bundled_schemas"

---@class hclexpr.provider.Bundled: hclexpr.Provider
local Bundled = Provider.kind()
Bundled.origin = "bundled"

---@param source string
---@return hclexpr.provider.Bundled
function Bundled.new(source)
  return setmetatable({ source = source }, Bundled)
end

function Bundled:row(declaration)
  local mode = modes[declaration.mode]
  local row = mode and mode.schemas and bundled_schemas.row(declaration, self.source, mode.schemas)
  return row or nil, row ~= nil and row ~= false
end

return Bundled
