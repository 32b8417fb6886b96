-- Recordings of an established server: workspaces (workspaces.jsonl of cases/ and providers/) and requests.
local json = require "hclexpr.lsp.json"
local support = dofile(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../support.lua")
local here = support.here()

local M = {}

--- The rows of a file in this folder, or none if it is missing.
function M.rows(name)
  local found = {}
  if not support.exists(here .. name) then return found end
  for line in support.read(here .. name):gmatch "[^\n]+" do found[#found + 1] = assert(json.decode(line)) end
  return found
end

--- The schemas of a workspace, as Terraform prints them; nil if it has none.
function M.schemas(names)
  if not names then return nil end
  local all = { format_version = "1.0", provider_schemas = {} }
  for _, name in ipairs(names) do
    local one = assert(json.decode(support.read(here .. "../modules/schemas/" .. name .. ".json")))
    for source, provider in pairs(one.provider_schemas) do all.provider_schemas[source] = provider end
  end
  return all
end

return M
