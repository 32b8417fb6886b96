-- Reads documents: JSON that other programs wrote, such as schemas of providers and states. A host passes a path or the decoded table.
local core = require "hclexpr.core"
local Findings = require "hclexpr.terraform.language.findings"

local documents = {}

-- The limits are large, because the files are the host's own, and schemas of large providers have tens of megabytes.
local roomy = { steps = 1e9, memory = 2 ^ 32, output = 2 ^ 32 }

--- Decodes JSON text into a table; returns nil and the reason if that fails. Arrays have core.array_mt, so that empty ones differ from
--- empty objects.
---@param text string
---@return table?
---@return string?
function documents.decode(text)
  local made, err = core.json_decode(text, roomy)
  if made == nil then return nil, err[1].detail end
  if type(made) ~= "table" then return nil, "It holds no object." end
  return made
end

---@class hclexpr.module.DocumentReader
---@field accept fun(document: table, files: hclexpr.module.Files): table?, string?, string? returns the document in a form to be read; or nil, the mistake, and a diagnostic's reason
---@field may_be_empty? boolean an empty file counts as no file

--- Reads the value of an option as a table; returns nil and Diagnostics if that fails.
---@param files hclexpr.module.Files
---@param given? string|table
---@param what string what the document is, in words for messages
---@param reader hclexpr.module.DocumentReader
---@return table?
---@return hclexpr.Diagnostics?
function documents.read(files, given, what, reader)
  if given == nil then return nil end
  local function refuse(why, reason)
    local name = type(given) == "string" and " " .. core.quote(given) or ""
    return nil, Findings.diagnose(Findings.because("MODULE_FILE", reason), nil, nil, ("The %s%s can't be read: %s"):format(what, name, why))
  end
  local made, why, reason = given, nil, nil
  if type(given) ~= "table" then
    local text, unreadable = files:read(given)
    if not text then return refuse(unreadable .. ".") end
    if text == "" and reader.may_be_empty then return nil end
    made, why = documents.decode(text)
  end
  if made then made, why, reason = reader.accept(made, files) end
  if not made then return refuse(why, reason) end
  return made
end

return documents
