-- Documents: what other programs print as JSON and a host hands on, schemas of providers and states: a path, or the table that it became.
local core = require "hclexpr.core"

local documents = {}

local decode = core.compile "jsondecode(text)"

-- What a host may have instead of a table.
local kinds = { ["nil"] = true, table = true }

--- What an option gives, as a table; nil and Diagnostics where it can't be read. Arrays of a file have core.array_mt, so that empty ones stay
--- apart from empty objects.
---@param files hclexpr.module.Files
---@param given? string|table
---@param what string what it is, in words
---@return table?
---@return hclexpr.Diagnostics?
function documents.read(files, given, what)
  if kinds[type(given)] then return given end
  local function refuse(why)
    return nil, core.diagnose("MODULE_FILE", nil, nil, ("The %s %s can't be read: %s"):format(what, core.quote(given), why))
  end
  local text, why = files:read(given)
  if not text then return refuse(why .. ".") end
  local value, err = decode:value({ text = text })
  if value == nil then return refuse(err[1].detail) end
  local made = value:lua()
  if type(made) ~= "table" then return refuse("It holds no object.") end
  return made
end

return documents
